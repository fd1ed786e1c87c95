// SPDX-License-Identifier: Apache-2.0

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** The JDK's own server: JDKServer PORT CONTENT NUMBERS. */
final class JDKServer {
    public static void main(String[] arguments) throws IOException {
        Trial trial = new Trial(arguments[1], arguments[2]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        // Its default answers one request after the other.
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try (exchange) {
                trial.answer(new Adapter(exchange));
            }
        });
        server.start();
    }

    private record Adapter(HttpExchange exchange) implements Trial.Exchange {
        public String path() { return exchange.getRequestURI().getPath(); }

        public String field(String name) { return exchange.getRequestHeaders().getFirst(name); }

        public InputStream body() { return exchange.getRequestBody(); }

        public void set(String name, String value) { exchange.getResponseHeaders().set(name, value); }

        public OutputStream begin(int status, long length) throws IOException {
            exchange.sendResponseHeaders(status, length);
            return exchange.getResponseBody();
        }
    }
}
