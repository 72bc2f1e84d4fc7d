import { describe, expect, test } from 'vitest';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { accountNoticeKinds, contactNoticeKinds } from './message.ts';
import { createNoticeMessage, type Notice } from './notice-message.ts';

const brand = { ...builtInBrands[0], origin: 'https://id.aurelia.example:8443' };
const at = new Date('2026-01-02T03:04:00Z');
const ada = { kind: 'email', value: 'ada@example.com' } as const;
const old = { kind: 'email', value: 'old@example.com' } as const;
const phone = { kind: 'phone', value: '+8613800138000' } as const;
const RECOVERY = 'https://id.aurelia.example:8443/findbackPWD';
const UNDO = 'https://id.aurelia.example:8443/undo#';
/** A time with its zone, in the notation of the language. */
const moments = {
  en: 'January 2, 2026 at 3:04 AM (UTC)',
  'zh-Hant': '2026年1月2日 03:04（UTC）',
  'zh-Hans': '2026年1月2日 03:04（UTC）',
  ru: '2 января 2026 г. в 03:04 (UTC)',
};

/** The parts that a gateway bills: 160 characters of GSM 03.38 or 70 of others, and less for each of several parts. */
const partsOf = (text: string) => {
  const [one, several] = /^[\x20-\x7e]*$/.test(text) ? [160, 153] : [70, 67];
  return text.length <= one ? 1 : Math.ceil(text.length / several);
};

describe.each(['en', 'zh-Hant', 'zh-Hans', 'ru'] as const)('in %s', (locale) => {
  const notices: Notice[] = [
    ...accountNoticeKinds.map((notice): Notice => ({ notice, at, locale, brand })),
    ...contactNoticeKinds.map((notice) => {
      const contact = notice.startsWith('phone') ? { ...phone, value: '+8613900139001' } : old;
      return { notice, at, locale, brand, contact };
    }),
    { notice: 'link_ends', app: 'Northern Lights (Kitchen)', at, locale, brand },
  ];

  test.each(notices.filter(({ notice }) => notice !== 'email_changed' && notice !== 'phone_changed'))(
    'the notice $notice says what happened, when, and where to go',
    (notice) => {
      const mail = createNoticeMessage(notice, notice.notice.startsWith('email') ? old : ada);
      const sms = createNoticeMessage(notice, phone);
      expect(mail).toMatchObject({ channel: 'email', purpose: notice.notice, locale });
      expect(mail.text).toContain(moments[locale]);
      expect(sms).toMatchObject({ channel: 'sms', purpose: notice.notice, to: phone.value });
      expect(sms).not.toHaveProperty('html');
      for (const { text, code } of [mail, sms]) {
        expect(text).toContain('https://id.aurelia.example:8443/');
        expect(text).toContain('Aurelia');
        expect(code).toBeUndefined();
      }
    },
  );

  test('an added or removed contact is shown masked', () => {
    for (const notice of contactNoticeKinds) {
      const contact = notice.startsWith('phone') ? { ...phone, value: '+8613900139001' } : old;
      const about = { notice, at, locale, brand, contact };
      const masked = notice.startsWith('phone') ? '+86 139 •••• 9001' : 'o•••@example.com';
      const mail = createNoticeMessage(about, ada);
      const sms = createNoticeMessage(about, phone);
      expect(mail.text).toContain(masked);
      expect(sms.text).toContain(masked.replaceAll('•', '*'));
      for (const { text } of [mail, sms]) expect(text).not.toContain(contact.value);
    }
  });

  test('every notice has a link that works without a session: the reader’s own link, else the link to a new password', () => {
    const undo = { to: old.value, token: 'x'.repeat(43) };
    for (const notice of contactNoticeKinds.filter((kind) => kind.startsWith('email'))) {
      const contact = notice.endsWith('_changed') || notice === 'email_change_waits' ? ada : old;
      const about: Notice = { notice, contact, at, locale, brand };
      for (const to of [old, ada, phone]) {
        expect(createNoticeMessage(about, to).text).toContain(RECOVERY);
        const { text } = createNoticeMessage({ ...about, undo }, to);
        expect(text.includes(`${UNDO}${undo.token}`)).toBe(to === old);
        expect(text.includes(RECOVERY)).toBe(to !== old);
      }
    }
  });

  test('a mail’s button leads to the address that its text shows', () => {
    const undo = { to: old.value, token: 'x'.repeat(43) };
    for (const about of [
      ...notices,
      { notice: 'email_unbound', contact: old, at, locale, brand, undo } as const,
    ]) {
      const { text, html = '' } = createNoticeMessage(about, old);
      const [, address = ''] = /(https:\S+)$/m.exec(text) ?? [];
      expect(address).not.toBe('');
      expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([address]);
      expect(html).toContain(`>${address}</a>`);
    }
  });

  test('a text message is short: one part in Latin script, two in others; one more with a key in its link', () => {
    const short = { ...brand, origin: 'https://id.aurelia.example' };
    const most = locale === 'en' ? 1 : 2;
    for (const notice of notices) {
      const plain = createNoticeMessage({ ...notice, brand: short }, phone).text;
      expect([plain, partsOf(plain)]).toEqual([plain, expect.toSatisfy((parts) => parts <= most)]);
      if (!('contact' in notice) || 'dueAt' in notice) continue;
      const undo = { to: phone.value, token: 'x'.repeat(43) };
      const keyed = createNoticeMessage({ ...notice, brand: short, undo }, phone).text;
      expect([keyed, partsOf(keyed)]).toEqual([keyed, expect.toSatisfy((parts) => parts <= most + 1)]);
    }
  });

  test('every contact is told of a recovery that waits: who asked, until when, and a link that stops it', () => {
    const stop = 'x'.repeat(43);
    const dueAt = new Date('2026-01-05T03:04:00Z');
    const about: Notice = { notice: 'recovery_wait_started', contact: old, dueAt, stop, at, locale, brand };
    for (const to of [old, ada, phone]) {
      const { text } = createNoticeMessage(about, to);
      expect(text).toContain(`${UNDO}${stop}`);
      expect(text).toContain(to === phone ? 'o***@example.com' : 'o•••@example.com');
      expect(text).not.toContain(old.value);
    }
    expect(createNoticeMessage(about, ada).text).toContain(
      moments[locale].replace(/(?<!\d)2(?=[日,\s])/, '5'),
    );
    const short = { ...brand, origin: 'https://id.aurelia.example' };
    const { text } = createNoticeMessage({ ...about, brand: short }, phone);
    expect([text, partsOf(text)]).toEqual([
      text,
      expect.toSatisfy((parts) => parts <= (locale === 'en' ? 2 : 3)),
    ]);
  });

  test('the removed contact gets other advice than the remaining contacts', () => {
    const changed: Notice = { notice: 'email_changed', contact: ada, at, locale, brand };
    const unbound: Notice = { notice: 'email_unbound', contact: old, at, locale, brand };
    const kept: Notice = { notice: 'email_kept', contact: ada, removed: old.value, at, locale, brand };
    for (const lost of [changed, unbound, kept])
      expect(createNoticeMessage(lost, old).text).not.toBe(createNoticeMessage(lost, phone).text);
    for (const lost of [changed, unbound, kept]) {
      const advice = (to: typeof old | typeof ada) => createNoticeMessage(lost, to).text.split('\n\n').at(-2);
      expect(advice(old)).not.toBe(advice(ada));
    }
  });

  test('no two notices read the same', () => {
    const mails = notices.map((notice) => createNoticeMessage(notice, ada));
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(notices.length);
    expect(new Set(mails.map(({ text }) => text)).size).toBe(notices.length);
    const texts = notices.map((notice) => createNoticeMessage(notice, phone).text);
    expect(new Set(texts).size).toBe(notices.length);
  });
});

test('a notice uses the brand’s own texts, escaped, and names the brand’s support', () => {
  const texts = {
    en: {
      'messages.notice.email_unbound.subject': 'Gone <b>for good</b>',
      'messages.notice.email_unbound.email': 'No more {{contact}} since {{time}}, {{brand}}.',
      'messages.notice.advice.lost': 'Call us, or go <a href="https://evil.example">here</a>: {{link}}',
      'messages.notice.email_unbound.sms': '{{contact}} is gone. {{advice}}',
      'messages.notice.smsAdvice.password': 'Was it you? {{link}}',
    },
  };
  const own = { ...brand, name: '{{contact}} & Sons', texts, support: 'https://help.example/?a=1&b=2' };
  const about = { notice: 'email_unbound', contact: old, at, brand: own } as const;
  const mail = createNoticeMessage({ ...about, locale: 'en' }, old);
  expect(mail.subject).toBe('Gone <b>for good</b>');
  expect(mail.text.split('\n\n')).toEqual([
    'Hello,',
    `No more o•••@example.com since ${moments.en}, {{contact}} & Sons.`,
    'If this was you, there is nothing to do.',
    `Call us, or go <a href="https://evil.example">here</a>: ${RECOVERY}`,
    '{{contact}} & Sons\nhttps://help.example/?a=1&b=2',
  ]);
  const links = [...(mail.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([RECOVERY, 'https://help.example/?a=1&amp;b=2']);
  expect(mail.html).not.toMatch(/<b>|<a href="https:\/\/evil/);
  expect(createNoticeMessage({ ...about, locale: 'en' }, phone).text).toBe(
    `o***@example.com is gone. Was it you? ${RECOVERY}`,
  );
  const russian = createNoticeMessage({ ...about, locale: 'ru' }, old);
  expect(russian.subject).not.toBe(mail.subject);
  expect(russian.text).toContain('Здравствуйте');
});
