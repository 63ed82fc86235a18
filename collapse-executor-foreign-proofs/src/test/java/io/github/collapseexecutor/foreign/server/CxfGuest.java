package io.github.collapseexecutor.foreign.server;

import jakarta.jws.WebService;
import java.util.List;
import java.util.Map;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** CXF: a web service, whose description it makes for the address that was asked, and its list of services. */
@Configuration(proxyBeanMethods = false)
class CxfGuest {

    static final Guest GUEST = new Guest(
            "cxf",
            CxfGuest.class,
            Map.of("cxf.path", "/cxf"),
            List.of(
                    "/cxf",
                    "/cxf/asked?wsdl",
                    "/cxf/asked?xsd=none.xsd",
                    "/cxf/asked",
                    "/cxf/asked/ask?arg0=x",
                    "/cxf/none",
                    "/cxf/asked <Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body>"
                            + "<ask xmlns='http://asked.example/'><arg0 xmlns=''>x</arg0></ask></Body></Envelope>",
                    "/cxf/asked <Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body>"
                            + "<none xmlns='http://asked.example/'/></Body></Envelope>"));

    /** A service. */
    @WebService(targetNamespace = "http://asked.example/")
    public static final class Asked {

        // immutable
        private final Backend backend;

        Asked(Backend backend) {
            this.backend = backend;
        }

        public String ask(String what) {
            return backend.read("cxf", what);
        }
    }

    @Bean
    EndpointImpl asked(Bus bus, Backend backend) {
        EndpointImpl endpoint = new EndpointImpl(bus, new Asked(backend));
        endpoint.publish("/asked");
        return endpoint;
    }
}
