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

/** Reads the gateways. Where they are `required`, problems name each missing gateway, and what else it needs. */
export const readGateways = (
  { text, url }: EnvironmentReader,
  { required, problems }: { required: boolean; problems: string[] },
): GatewaySettings => {
  const isNeeded = (gateway: string) => required || text(gateway) !== undefined;
  const smtpUrl = url('SMTP_URL', ['smtp:', 'smtps:'], 'of smtp:// or smtps://');
  const smsUrl = url('SMS_URL', ['http:', 'https:'], 'of http:// or https://');
  const from = text('MAIL_FROM') ?? '';
  const secret = text('SMS_SECRET') ?? '';
  if (isNeeded('SMTP_URL') && !plainAddress.test(from))
    problems.push('MAIL_FROM must be one plain address such as account@example.com where SMTP_URL is set');
  if (isNeeded('SMS_URL') && secret.length < SECRET_LENGTH)
    problems.push(`SMS_SECRET needs at least ${SECRET_LENGTH} characters where SMS_URL is set`);
  for (const name of ['SMTP_URL', 'SMS_URL'])
    if (required && text(name) === undefined)
      problems.push(`${name} is required in production: the outbox is for development`);
  return {
    mail: smtpUrl ? { url: smtpUrl, from } : undefined,
    sms: smsUrl ? { url: smsUrl, secret } : undefined,
  };
};
