import type { EnvironmentReader } from './environment-reader.ts';

/** How messages leave. */
export interface GatewaySettings {
  /** undefined: mail goes to the outbox. */
  mail: { url: string; from: string } | undefined;
  /** undefined: SMS go to the outbox. */
  sms: { url: string; secret: string } | undefined;
}

/** The least length of a secret that is shared with a gateway, and of each key in SECRET_KEY and COOKIE_KEYS. */
export const SECRET_LENGTH = 32;

const plainAddress = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** The settings of gateways that are not set. */
export const findMissingGateways = ({ text }: EnvironmentReader): string[] =>
  ['SMTP_URL', 'SMS_URL'].filter((name) => text(name) === undefined);

/** Reads the gateways. Where they are `required`, the other settings of a missing gateway are checked too. */
export const readGateways = (
  { text, url, faulty }: EnvironmentReader,
  { required, problems }: { required: boolean; problems: string[] },
): GatewaySettings => {
  const isAsked = (gateway: string, setting: string) =>
    (required || text(gateway) !== undefined) && !faulty.has(setting);
  const smtpUrl = url('SMTP_URL', ['smtp:', 'smtps:'], 'of smtp:// or smtps://');
  const smsUrl = url('SMS_URL', ['http:', 'https:'], 'of http:// or https://');
  const [from, secret] = [text('MAIL_FROM') ?? '', text('SMS_SECRET') ?? ''];
  if (isAsked('SMTP_URL', 'MAIL_FROM') && !plainAddress.test(from))
    problems.push('MAIL_FROM must be one plain address such as account@example.com, from which mail is sent');
  if (isAsked('SMS_URL', 'SMS_SECRET') && secret.length < SECRET_LENGTH)
    problems.push(`SMS_SECRET needs at least ${SECRET_LENGTH} characters, with which SMS are signed`);
  return {
    mail: smtpUrl ? { url: smtpUrl, from } : undefined,
    sms: smsUrl ? { url: smsUrl, secret } : undefined,
  };
};
