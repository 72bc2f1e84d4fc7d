import { generateKeyPairSync, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** One value in DER (ITU-T X.690): its tag, its length and its content. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** How each kind of key signs (RFC 5758 section 3.2, RFC 8017 appendix C). */
const signatures = {
  ec: sequence(der(0x06, bytes('2a8648ce3d040302'))),
  rsa: sequence(der(0x06, bytes('2a864886f70d01010b')), bytes('0500')),
};
const createKeys = (kind: keyof typeof signatures) =>
  kind === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
const subjectAltName = bytes('551d11');
const commonName = bytes('550403');

/** A self-signed certificate of `host` (RFC 5280 section 4.1), and its key. */
export const createCertificate = (host: string, kind: keyof typeof signatures = 'ec') => {
  const { privateKey, publicKey } = createKeys(kind);
  const algorithm = signatures[kind];
  const name = sequence(der(0x31, sequence(der(0x06, commonName), der(0x0c, Buffer.from(host)))));
  const validity = sequence(
    ...['20200101000000Z', '20991231235959Z'].map((at) => der(0x18, Buffer.from(at))),
  );
  const names = sequence(der(0x82, Buffer.from(host)));
  const extensions = der(0xa3, sequence(sequence(der(0x06, subjectAltName), der(0x04, names))));
  const certified = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(0x02, bytes('01')),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = der(0x03, bytes('00'), sign('sha256', certified, privateKey));
  const certificate = sequence(certified, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
};

/** One certificate for all servers of the process: of two with one name, a verifier may choose the wrong one. */
let trusted: ReturnType<typeof createCertificate> | undefined;

const trustOwnCertificate = () => {
  const certificate = createCertificate('localhost');
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  return certificate;
};

/** The certificate of localhost that this process trusts from then on, and its key. */
export const trustedCertificate = (): ReturnType<typeof createCertificate> => {
  trusted ??= trustOwnCertificate();
  return trusted;
};

/** A real https server on localhost, whose certificate this process trusts from then on. */
export const startHttpsServer = async (listener: RequestListener) => {
  const { cert, key } = trustedCertificate();
  const server = createServer({ cert, key }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `localhost:${port}`,
    /** In PEM; other processes have to be configured to trust it. */
    certificate: cert,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
