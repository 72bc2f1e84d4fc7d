import { afterEach, expect, test } from 'vitest';
import { listenSmtp, type SmtpReply } from '../../../testing/gateways.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createCodeMessage } from './code-message.ts';
import type { IdentifiedMessage } from './message.ts';
import { createSmtpSender } from './smtp.ts';

const brand = { ...builtInBrands[0], origin: 'https://id.aurelia.example' };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

const mailTo = (to: string, overrides: Partial<IdentifiedMessage> = {}): IdentifiedMessage => ({
  ...createCodeMessage({
    identifier: parseIdentifier(to),
    purpose: 'login',
    code: '012345',
    locale: 'zh-Hant',
    brand,
    ttlSeconds: 300,
  }),
  id: '7f0e',
  ...overrides,
});

const start = async (answer?: (step: string, line: string) => SmtpReply) => {
  const listener = await listenSmtp(answer);
  open.push(listener);
  const from = 'account@aurelia.example';
  return { ...listener, sender: createSmtpSender({ url: listener.url, from, timeoutMs: 400 }) };
};

const decode = (part: string) =>
  /base64/i.test(part)
    ? Buffer.from(part.slice(part.indexOf('\r\n\r\n')), 'base64').toString()
    : Buffer.from(
        part
          .slice(part.indexOf('\r\n\r\n') + 4)
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString();

test('a mail has the brand as its sender, one recipient, and the code in a text part and an HTML part', async () => {
  const { sender, mails } = await start();
  await sender.send(mailTo('Ada@Example.com'));
  expect(mails).toHaveLength(1);
  const [mail] = mails;
  expect(mail).toMatchObject({ from: 'account@aurelia.example', to: ['ada@example.com'] });
  const [head = '', ...parts] = mail?.data.split(/\r\n--[^\r\n]+/) ?? [];
  expect(head).toContain('From: Aurelia <account@aurelia.example>');
  expect(head).toContain('To: ada@example.com');
  expect(head).toContain('Message-ID: <7f0e@aurelia.example>');
  expect(head).toContain('Auto-Submitted: auto-generated');
  expect(head).toContain('Content-Type: multipart/alternative');
  const text = parts.find((part) => part.includes('text/plain')) ?? '';
  const html = parts.find((part) => part.includes('text/html')) ?? '';
  expect(decode(text)).toContain('您的 Aurelia 驗證碼（用於登入）：');
  expect(decode(html)).toContain('<html lang="zh-Hant">');
  for (const part of [text, html]) expect(decode(part)).toContain('012345');
});

test('a brand with its own address sends from that address', async () => {
  const { sender, mails } = await start();
  await sender.send(
    mailTo('ada@example.com', { brand: { name: 'Ünder & Sons', mailFrom: 'id@borealis.example' } }),
  );
  expect(mails[0]?.from).toBe('id@borealis.example');
  expect(mails[0]?.data).toMatch(/^From: =\?UTF-8\?.*<id@borealis\.example>/m);
});

test('an address outside ASCII goes out as SMTPUTF8', async () => {
  const { sender, mails, lines } = await start();
  await sender.send(mailTo('почта@example.com'));
  expect(mails[0]?.to).toEqual(['почта@example.com']);
  expect(lines.find((line) => line.startsWith('MAIL'))).toContain('SMTPUTF8');
});

test('the credentials of the URL are used, and leave this machine only over TLS', async () => {
  const { url, lines } = await start();
  const withUser = url.replace('//', '//ada%40example.com:p%3Aw@');
  const from = 'account@aurelia.example';
  await createSmtpSender({ url: withUser, from }).send(mailTo('ada@example.com'));
  const [, proof = ''] = /AUTH PLAIN (\S+)/.exec(lines.join('\n')) ?? [];
  expect(Buffer.from(proof, 'base64').toString()).toBe('\0ada@example.com\0p:w');
  // This name also resolves to this machine, but the client cannot know it.
  const elsewhere = withUser.replace('127.0.0.1', '0.0.0.0');
  const attempt = createSmtpSender({ url: elsewhere, from, timeoutMs: 400 }).send(mailTo('ada@example.com'));
  await expect(attempt).rejects.toMatchObject({ failure: 'later' });
  expect(lines.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
});

test.each<[string, string, Record<string, SmtpReply>]>([
  ['later', 'a busy greeting', { GREETING: '421 busy' }],
  ['later', 'a silent greeting', { GREETING: 'silence' }],
  ['later', 'a closed door', { GREETING: 'hang up' }],
  ['later', 'a refused sender', { MAIL: '550 who' }],
  ['later', 'greylisting', { RCPT: '451 come back' }],
  ['later', 'silence before the mail', { DATA: 'silence' }],
  ['later', 'a mail refused for now', { BODY: '452 full' }],
  ['never', 'an unknown recipient', { RCPT: '550 5.1.1 <ada@example.com> nobody' }],
  ['never', 'a mail refused for good', { BODY: '554 spam' }],
  ['unknown', 'silence after the mail', { BODY: 'silence' }],
  ['unknown', 'the end of the connection after the mail', { BODY: 'hang up' }],
])('%s: %s', async (failure, _, replies) => {
  const { sender } = await start((step) => replies[step]);
  const error = await sender.send(mailTo('ada@example.com')).then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ name: 'DeliveryError', failure });
  for (const secret of ['012345', 'ada@example.com']) expect(String(error.stack)).not.toContain(secret);
});

test('a refused connection means a later try', async () => {
  const { sender, close } = await start();
  await close();
  await expect(sender.send(mailTo('ada@example.com'))).rejects.toMatchObject({ failure: 'later' });
});

test('a server that never answers QUIT delays nothing', async () => {
  const { sender, mails } = await start((step) => (step === 'QUIT' ? 'silence' : undefined));
  await sender.send(mailTo('ada@example.com'));
  expect(mails).toHaveLength(1);
});
