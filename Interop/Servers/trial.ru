# SPDX-License-Identifier: Apache-2.0
# The trial's paths for Puma.
require 'digest'

numbers = File.open(ENV['TRIAL_NUMBERS'], 'a')
numbers.sync = true

bytes = lambda do |env, size|
  first, last, status = 0, size - 1, 200
  fields = { 'etag' => "\"#{size}\"", 'accept-ranges' => 'bytes', 'content-type' => 'application/octet-stream' }
  if (asked = /\Abytes=(\d+)-(\d*)\z/.match(env['HTTP_RANGE'].to_s))
    first, status = asked[1].to_i, 206
    last = [last, asked[2].to_i].min unless asked[2].empty?
    fields['content-range'] = "bytes #{first}-#{last}/#{size}"
  end
  left = last - first + 1
  fields['content-length'] = left.to_s
  body = Enumerator.new do |pieces|
    File.open(ENV['TRIAL_CONTENT'], 'rb') do |file|
      file.seek(first)
      while left.positive?
        piece = file.read([left, 1 << 18].min)
        left -= piece.bytesize
        pieces << piece
      end
    end
  end
  [status, fields, body]
end

echo = lambda do |env|
  numbers.write("#{env['HTTP_X_TRIAL_NUMBER']}\n") if env['HTTP_X_TRIAL_NUMBER']
  digest = Digest::SHA256.new
  count = 0
  while (piece = env['rack.input'].read(1 << 18))
    digest << piece
    count += piece.bytesize
  end
  body = "#{count} #{digest.hexdigest}"
  [200, { 'content-length' => body.bytesize.to_s, 'content-type' => 'text/plain' }, [body]]
end

run lambda { |env|
  _, kind, value = env['PATH_INFO'].split('/')
  case kind
  when 'bytes' then bytes.call(env, value.to_i)
  when 'echo' then echo.call(env)
  else [kind == 'early' ? value.to_i : 404, { 'content-length' => '5' }, ['early']]
  end
}
