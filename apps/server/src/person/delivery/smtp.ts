import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { DeliveryError, type IdentifiedMessage, type MessageSender } from './message.ts';

export interface SmtpOptions {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte. */
  url: string;
  /** The sender address for brands that have none of their own. */
  from: string;
  /** The timeout of a whole conversation. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The options of a connection. A password travels in clear only within this machine. */
const readUrl = (text: string) => {
  const url = new URL(text);
  const isSecure = url.protocol === 'smtps:';
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : undefined;
  return {
    auth,
    connection: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (isSecure ? 465 : 587),
      secure: isSecure,
      requireTLS: !isSecure && auth !== undefined && !loopback.test(url.hostname),
    },
  };
};

interface SmtpError extends Error {
  code?: string | undefined;
  command?: string | undefined;
  responseCode?: number | undefined;
}

/** The reason of a failure, without the server's words: they often repeat the address. */
const reasonOf = ({ code, command, responseCode }: SmtpError) =>
  ['smtp', code, command, responseCode].filter(Boolean).join(' ');

/**
 * RFC 5321 section 4.2.1: 5yz is permanent, 4yz transient. After a refused log-in the message waits for the operator
 * to mend the settings. Where the whole mail was handed over and the reply is missing, the server may have taken it
 * (RFC 5321 section 6.1).
 */
const toDeliveryError = (error: SmtpError, isHandedOver: boolean): DeliveryError => {
  const reason = reasonOf(error);
  const { code = '', command = '', responseCode } = error;
  if (responseCode === undefined) {
    if (isHandedOver) return new DeliveryError('unknown', reason);
    const isOwnRefusal = code === 'EENVELOPE' || code === 'EMESSAGE';
    return new DeliveryError(isOwnRefusal ? 'never' : 'later', reason);
  }
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA';
  return new DeliveryError(isAboutMessage && responseCode >= 500 ? 'never' : 'later', reason);
};

const compose = async (message: IdentifiedMessage, from: string): Promise<Buffer> => {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from: { name: message.brand.name, address: from },
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    text: message.text,
    ...(message.html !== undefined && { html: message.html }),
    // The same for every try, so that mail programs recognise a second copy.
    messageId: `<${message.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': message.locale },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
};

/** Sends mail over SMTP (RFC 5321), a conversation for each message. */
export const createSmtpSender = ({ url, from, timeoutMs = TIMEOUT_MS }: SmtpOptions): MessageSender => {
  const { auth, connection: target } = readUrl(url);

  const converse = (connection: SMTPConnection, envelope: { from: string; to: string[] }, mail: Buffer) =>
    new Promise<void>((resolve, reject) => {
      let isHandedOver = false;
      const fail = (error: SmtpError) => {
        clearTimeout(deadline);
        reject(toDeliveryError(error, isHandedOver));
      };
      const failWith = (code: string) => fail(Object.assign(new Error(code), { code }));
      const deadline = setTimeout(() => failWith('EDEADLINE'), timeoutMs);
      const body = Readable.from([mail]).once('end', () => {
        isHandedOver = true;
      });
      const send = () =>
        connection.send(envelope, body, (error) => {
          if (error) return fail(error);
          clearTimeout(deadline);
          resolve();
        });
      // The first outcome counts: later errors of the connection change nothing.
      connection.on('error', fail);
      connection.once('end', () => failWith('ECONNECTION'));
      connection.connect((error) => {
        if (error) fail(error);
        else if (auth) connection.login({ ...auth }, (refusal) => (refusal ? fail(refusal) : send()));
        else send();
      });
    });

  return {
    send: async (message) => {
      const sender = message.brand.mailFrom ?? from;
      const mail = await compose(message, sender);
      const { default: Connection } = await import('nodemailer/lib/smtp-connection');
      const connection = new Connection({
        ...target,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        dnsTimeout: timeoutMs,
        tls: { minVersion: 'TLSv1.2' },
      });
      try {
        await converse(connection, { from: sender, to: [message.to] }, mail);
        connection.quit();
      } catch (error) {
        connection.close();
        throw error;
      }
    },
  };
};
