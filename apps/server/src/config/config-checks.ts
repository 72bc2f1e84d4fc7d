import type { Config } from './config.ts';

const isLoopback = (url: string) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

/** What production does not start on: codes and secrets must not be read by others, and nothing may get lost. */
export const checkProduction = (
  config: Config,
  env: { smtpUrl: unknown; smsUrl: unknown },
  problems: string[],
) => {
  if (config.secretKeys.length === 0) problems.push('SECRET_KEY is required in production');
  if (config.cookieKeys.length === 0) problems.push('COOKIE_KEYS is required in production');
  if (!config.publicUrl.startsWith('https:')) problems.push('PUBLIC_URL must be https in production');
  // Its scripts run with all that a person may do.
  if (config.assetOrigin && !config.assetOrigin.startsWith('https:'))
    problems.push('ASSET_URL must be https in production');
  for (const { id, origin } of config.brands) {
    if (origin !== config.publicUrl && !origin.startsWith('https:'))
      problems.push(`BRANDS_FILE: the origin of "${id}" must be https in production, not ${origin}`);
  }
  if (!env.smtpUrl) problems.push('SMTP_URL is required in production: the outbox is for development');
  if (!env.smsUrl) problems.push('SMS_URL is required in production: the outbox is for development');
  // It carries codes and phone numbers, which stay clear of networks only within this machine.
  if (config.sms && !config.sms.url.startsWith('https:') && !isLoopback(config.sms.url))
    problems.push('SMS_URL must be https in production, but for a gateway on this machine');
};

/** Names and addresses that only one machine or one network knows (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const isPrivateHost = (host: string): boolean =>
  !host.includes('.') ||
  /\.(localhost|local|lan|internal|home\.arpa|test|example|invalid|alt)$/.test(host) ||
  /(^|\.)example\.(com|net|org)$/.test(host) ||
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);

/** Whoever serves people does so as in production: elsewhere codes are printed. */
export const checkDevelopment = ({ publicUrl, brands }: Config, problems: string[]) => {
  for (const origin of new Set([publicUrl, ...brands.map((brand) => brand.origin)])) {
    const { protocol, hostname } = new URL(origin);
    if (protocol !== 'https:' || isPrivateHost(hostname)) continue;
    problems.push(`NODE_ENV=production is needed to serve ${origin}, which is not a name for tests`);
  }
};
