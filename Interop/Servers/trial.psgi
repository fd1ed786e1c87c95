# SPDX-License-Identifier: Apache-2.0
# The trial's paths for Starman.
use strict;
use warnings;
use Digest::SHA qw(sha256_hex);

open(my $numbers, '>>', $ENV{TRIAL_NUMBERS}) or die $!;
$numbers->autoflush(1);

sub bytes_of {
    my ($env, $size) = @_;
    my ($first, $last, $status) = (0, $size - 1, 200);
    my @fields = ('ETag' => "\"$size\"", 'Accept-Ranges' => 'bytes', 'Content-Type' => 'application/octet-stream');
    if (($env->{HTTP_RANGE} // '') =~ /\Abytes=(\d+)-(\d*)\z/) {
        $first = $1;
        $last = $2 if $2 ne '' && $2 < $last;
        $status = 206;
        push @fields, 'Content-Range' => "bytes $first-$last/$size";
    }
    open(my $file, '<:raw', $ENV{TRIAL_CONTENT}) or die $!;
    seek($file, $first, 0);
    my $left = $last - $first + 1;
    return sub {
        my $writer = $_[0]->([$status, [@fields, 'Content-Length' => $left]]);
        while ($left > 0 && read($file, my $piece, $left < 1 << 18 ? $left : 1 << 18)) {
            $left -= length $piece;
            $writer->write($piece);
        }
        $writer->close;
    };
}

sub echo {
    my ($env) = @_;
    syswrite($numbers, "$env->{HTTP_X_TRIAL_NUMBER}\n") if $env->{HTTP_X_TRIAL_NUMBER};
    my $body = '';
    while ($env->{'psgi.input'}->read(my $piece, 1 << 18)) { $body .= $piece }
    my $text = length($body) . ' ' . sha256_hex($body);
    return [200, ['Content-Type' => 'text/plain', 'Content-Length' => length $text], [$text]];
}

sub {
    my ($env) = @_;
    my (undef, $kind, $value) = split m{/}, $env->{PATH_INFO};
    return bytes_of($env, $value) if $kind eq 'bytes';
    return echo($env) if $kind eq 'echo';
    return [$kind eq 'early' ? $value : 404, ['Content-Length' => 5], ['early']];
};
