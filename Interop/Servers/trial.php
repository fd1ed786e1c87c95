<?php
// SPDX-License-Identifier: Apache-2.0
// The trial's paths for PHP's own server: php -S 127.0.0.1:PORT trial.php
[, $kind, $value] = explode('/', $_SERVER['REQUEST_URI']) + [2 => ''];
if ($kind === 'bytes') {
    [$start, $end] = [0, (int) $value - 1];
    if (preg_match('/^bytes=(\d+)-(\d*)$/', $_SERVER['HTTP_RANGE'] ?? '', $asked)) {
        $start = (int) $asked[1];
        if ($asked[2] !== '') $end = min($end, (int) $asked[2]);
        http_response_code(206);
        header("Content-Range: bytes $start-$end/$value");
    }
    header("ETag: \"$value\"");
    header('Accept-Ranges: bytes');
    header('Content-Type: application/octet-stream');
    header('Content-Length: ' . ($end - $start + 1));
    $file = fopen(getenv('TRIAL_CONTENT'), 'rb');
    fseek($file, $start);
    for ($left = $end - $start + 1; $left > 0; $left -= strlen($piece)) {
        $piece = fread($file, min($left, 1 << 16));
        echo $piece;
    }
} elseif ($kind === 'echo') {
    if (isset($_SERVER['HTTP_X_TRIAL_NUMBER'])) {
        file_put_contents(getenv('TRIAL_NUMBERS'), $_SERVER['HTTP_X_TRIAL_NUMBER'] . "\n", FILE_APPEND);
    }
    $body = fopen('php://input', 'rb');
    $digest = hash_init('sha256');
    $count = hash_update_stream($digest, $body);
    $answer = $count . ' ' . hash_final($digest);
    header('Content-Type: text/plain');
    header('Content-Length: ' . strlen($answer));
    echo $answer;
} else {
    http_response_code($kind === 'early' ? (int) $value : 404);
    echo 'early';
}
