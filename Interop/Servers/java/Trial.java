// SPDX-License-Identifier: Apache-2.0

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The trial's paths, for whatever server hands in a request and takes an answer. */
final class Trial {
    /** A request and its answer in a server's own form. */
    interface Exchange {
        String path();
        String field(String name);
        InputStream body() throws IOException;
        void set(String name, String value);
        OutputStream begin(int status, long length) throws IOException;
    }

    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");

    private final String content;
    private final FileOutputStream numbers;

    Trial(String content, String numbers) throws IOException {
        this.content = content;
        this.numbers = new FileOutputStream(numbers, true);
    }

    void answer(Exchange exchange) throws IOException {
        String[] parts = exchange.path().split("/");
        if (parts[1].equals("bytes")) {
            bytes(exchange, Long.parseLong(parts[2]));
        } else if (parts[1].equals("echo")) {
            echo(exchange);
        } else {
            OutputStream output = exchange.begin(parts[1].equals("early") ? Integer.parseInt(parts[2]) : 404, 5);
            output.write("early".getBytes(StandardCharsets.US_ASCII));
            output.close();
        }
    }

    private void bytes(Exchange exchange, long size) throws IOException {
        long start = 0;
        long end = size - 1;
        int status = 200;
        String asked = exchange.field("Range");
        Matcher range = RANGE.matcher(asked == null ? "" : asked);
        if (range.matches()) {
            status = 206;
            start = Long.parseLong(range.group(1));
            if (!range.group(2).isEmpty()) end = Math.min(end, Long.parseLong(range.group(2)));
            exchange.set("Content-Range", "bytes " + start + "-" + end + "/" + size);
        }
        exchange.set("ETag", "\"" + size + "\"");
        exchange.set("Accept-Ranges", "bytes");
        exchange.set("Content-Type", "application/octet-stream");
        long left = end - start + 1;
        try (OutputStream output = exchange.begin(status, left);
                RandomAccessFile file = new RandomAccessFile(content, "r")) {
            file.seek(start);
            byte[] piece = new byte[1 << 16];
            while (left > 0) {
                int count = file.read(piece, 0, (int) Math.min(left, piece.length));
                output.write(piece, 0, count);
                left -= count;
            }
        }
    }

    private void echo(Exchange exchange) throws IOException {
        String number = exchange.field("X-Trial-Number");
        if (number != null) numbers.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            InputStream body = exchange.body();
            byte[] piece = new byte[1 << 16];
            long total = 0;
            for (int count; (count = body.read(piece)) >= 0; total += count) digest.update(piece, 0, count);
            String text = total + " " + HexFormat.of().formatHex(digest.digest());
            try (OutputStream output = exchange.begin(200, text.length())) {
                output.write(text.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (NoSuchAlgorithmException error) {
            throw new IOException(error);
        }
    }
}
