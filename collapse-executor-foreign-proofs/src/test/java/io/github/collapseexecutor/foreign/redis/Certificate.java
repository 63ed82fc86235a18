package io.github.collapseexecutor.foreign.redis;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A certificate of a server, made by the JDK. */
final class Certificate {

    private static final String PASSWORD = "password";

    private Certificate() {}

    /** Returns what has a server accept TLS at a port. */
    static String[] settings(Path folder, int port) throws Exception {
        Path store = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException("keytool has made no certificate in " + store);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Path key = pem(
                folder.resolve("server.key"),
                "PRIVATE KEY",
                keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        Path certificate = pem(
                folder.resolve("server.crt"),
                "CERTIFICATE",
                keys.getCertificate("server").getEncoded());
        return new String[] {
            "tls-port " + port,
            "tls-cert-file " + certificate,
            "tls-key-file " + key,
            "tls-ca-cert-file " + certificate,
            "tls-auth-clients no"
        };
    }

    private static Path pem(Path file, String kind, byte[] content) throws Exception {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n",
                StandardCharsets.US_ASCII);
    }
}
