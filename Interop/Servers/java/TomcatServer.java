// SPDX-License-Identifier: Apache-2.0

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** Tomcat over TLS, with HTTP/2: TomcatServer PORT CONTENT NUMBERS CERTIFICATE KEY FOLDER. */
final class TomcatServer extends HttpServlet {
    private final transient Trial trial;

    private TomcatServer(Trial trial) { this.trial = trial; }

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[5]);
        Connector connector = new Connector();
        connector.setPort(Integer.parseInt(arguments[0]));
        connector.setProperty("address", "127.0.0.1");
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
            new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateFile(arguments[3]);
        certificate.setCertificateKeyFile(arguments[4]);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "trial", new TomcatServer(new Trial(arguments[1], arguments[2])));
        context.addServletMappingDecoded("/", "trial");
        tomcat.start();
        tomcat.getServer().await();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
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
