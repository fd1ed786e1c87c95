// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Jetty over TLS, with HTTP/2: JettyServer PORT CONTENT NUMBERS STORE, a PKCS#12 file with the password "trial". */
final class JettyServer extends AbstractHandler {
    private final Trial trial;

    private JettyServer(Trial trial) { this.trial = trial; }

    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        SslContextFactory.Server secure = new SslContextFactory.Server();
        secure.setKeyStorePath(arguments[3]);
        secure.setKeyStoreType("PKCS12");
        secure.setKeyStorePassword("trial");
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer());
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
        HttpConnectionFactory old = new HttpConnectionFactory(configuration);
        choice.setDefaultProtocol(old.getProtocol());
        ServerConnector connector = new ServerConnector(
            server,
            new SslConnectionFactory(secure, choice.getProtocol()),
            choice,
            new HTTP2ServerConnectionFactory(configuration),
            old);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        server.addConnector(connector);
        server.setHandler(new JettyServer(new Trial(arguments[1], arguments[2])));
        server.start();
        server.join();
    }

    @Override
    public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
        throws IOException {
        base.setHandled(true);
        trial.answer(new Adapter(request, response));
    }

    private record Adapter(HttpServletRequest request, HttpServletResponse response) implements Trial.Exchange {
        public String path() { return request.getRequestURI(); }

        public String field(String name) { return request.getHeader(name); }

        public InputStream body() throws IOException { return request.getInputStream(); }

        public void set(String name, String value) { response.setHeader(name, value); }

        public OutputStream begin(int status, long length) throws IOException {
            response.setStatus(status);
            response.setContentLengthLong(length);
            return response.getOutputStream();
        }
    }
}
