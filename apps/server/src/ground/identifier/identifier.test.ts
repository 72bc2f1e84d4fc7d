import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { parseIdentifier } from './identifier.ts';

const codeOf = (text: string): string => {
  try {
    return JSON.stringify(parseIdentifier(text));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.details.fields).toEqual({ identifier: error.code });
    return error.code;
  }
};

describe('phone numbers', () => {
  test.each([
    '+8613800138000',
    '+86 138 0013 8000',
    '+86-138-0013-8000',
    '+86 (138) 0013-8000',
    '+86.138.0013.8000',
    '+86/138/00138000',
    '  +86 138 0013 8000  ',
    '+86\u00a0138\u00a00013\u00a08000',
    '+86\u2009138\u20090013\u20098000',
    '+86\u202f138\u202f0013\u202f8000',
    '+86\u2011138\u20110013\u20118000',
    '+8 6 1 3 8 0 0 1 3 8 0 0 0',
  ])('PL6: %j is the same number in E.164', (text) => {
    expect(parseIdentifier(text)).toEqual({
      kind: 'phone',
      value: '+8613800138000',
      display: '+8613800138000',
    });
  });

  test.each([
    ['an extension', '+8613800138000 ext. 5'],
    ['an extension of RFC 3966', '+8613800138000;ext=5'],
    ['full-width digits', '+８６13800138000'],
    ['Arabic digits', '+٨٦13800138000'],
    ['a premium number', '+1 900 234 5678'],
    ['a free number', '+1 800 234 5678'],
    ['too many digits', '+86138001380001'],
    ['far too many digits', `+${'8'.repeat(60)}`],
    ['too few digits', '+86138001'],
    ['no country', '+0013800138000'],
    ['letters', '+1 800 FLOWERS'],
    ['a second plus', '+86+13800138000'],
    ['a line break', '+86138\r\n00138000'],
    ['nothing but a plus', '+'],
  ])('PL6: with %s it is refused', (_, text) => {
    expect(codeOf(text)).toBe('phone_invalid');
  });

  test.each(['13800138000', '8613800138000', '008613800138000', '＋8613800138000'])(
    '%j lacks its country code and is not guessed',
    (text) => {
      expect(codeOf(text)).toBe('identifier_invalid');
    },
  );
});

describe('e-mail addresses', () => {
  test('are compared case-insensitively and shown as typed', () => {
    expect(parseIdentifier(' Ada.Lovelace+lamp@Example.COM ')).toEqual({
      kind: 'email',
      value: 'ada.lovelace+lamp@example.com',
      display: 'Ada.Lovelace+lamp@example.com',
    });
  });

  test.each(['straße@example.com', 'İda@example.com', 'ΟΔΟΣ@example.com'])(
    '%j is shown as the mailbox that proves it',
    (text) => {
      const { value, display } = parseIdentifier(text);
      expect(display).toBe(value);
    },
  );

  test('a domain is shown in punycode', () => {
    expect(parseIdentifier('Ada@Bücher.example').display).toBe('Ada@xn--bcher-kva.example');
  });

  test.each([
    ['compatibility forms', 'ａｄａ@example.com', 'ada@example.com'],
    ['composed and decomposed accents', 'rene\u0301@example.com', 'ren\u00e9@example.com'],
    ['sharp s', 'STRASSE@example.com', 'straße@example.com'],
    ['final sigma', 'ΟΔΟΣ@example.com', 'οδος@example.com'],
    ['the domain in Unicode and in punycode', 'a@münchen.de', 'a@xn--mnchen-3ya.de'],
    ['a full-width dot', 'a@example．com', 'a@example.com'],
  ])('PL5: %s are the same address', (_, one, other) => {
    expect(parseIdentifier(one).value).toBe(parseIdentifier(other).value);
  });

  test.each([
    'ß@example.com',
    'İ@example.com',
    'ŉ@example.com',
    'ǰ@example.com',
    'ﬃ@example.com',
    'Σς@a.example',
  ])('the key of %j is its own key', (text) => {
    const { value } = parseIdentifier(text);
    expect(parseIdentifier(value).value).toBe(value);
  });

  test.each([
    ['a full-width @', 'ada＠example.com'],
    ['a full-width @ behind a real one', 'ada@evil.example＠example.com'],
    ['a small @', 'ada﹫example.com'],
    ['two @', 'ada@evil.example@example.com'],
    ['a line break', 'ada@example.com\r\nBcc: eve@example.com'],
    ['a bare line feed', 'ada\n@example.com'],
    ['a comma', 'ada@example.com,eve@example.com'],
    ['a full-width comma', 'ada，eve@example.com'],
    ['a semicolon', 'ada;eve@example.com'],
    ['a display name', 'Ada <ada@example.com>'],
    ['a quoted local part', '"ada eve"@example.com'],
    ['a comment', 'ada(eve)@example.com'],
    ['a zero-width character', 'a\u200bda@example.com'],
    ['a direction mark', '\u202eada@example.com'],
    ['NUL', 'a\0da@example.com'],
    ['a lone surrogate', 'a\ud800@example.com'],
    ['a dot in front', '.ada@example.com'],
    ['two dots in a row', 'a..da@example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ada@'],
    ['a domain of one label', 'ada@localhost'],
    ['an address for a domain', 'ada@192.168.0.1'],
    ['an address literal', 'ada@[192.168.0.1]'],
    ['a dash at the edge of a label', 'ada@-example.com'],
    ['an underscore in the domain', 'ada@ex_ample.com'],
    ['a percent in the domain', 'ada@ex%61mple.com'],
    ['a trailing dot', 'ada@example.com.'],
    ['a local part past 64 octets', `${'a'.repeat(65)}@example.com`],
    ['a domain past 253 octets', `a@${'a.'.repeat(130)}com`],
  ])('PL5, PL7: with %s it is refused', (_, text) => {
    expect(codeOf(text)).toBe('email_invalid');
  });
});

test('other text is invalid, and an empty text is blank', () => {
  expect(codeOf('ada')).toBe('identifier_invalid');
  expect(codeOf('   ')).toBe('identifier_blank');
  expect(codeOf(`${'a'.repeat(321)}@example.com`)).toBe('identifier_invalid');
});

test('PL17: any 100 kB are parsed in less than 50 ms', () => {
  for (const part of ['a', '+', '1', '.', '@', 'a.', '@a', '(', 'ß', '\u0301']) {
    const started = performance.now();
    codeOf(part.repeat(100_000 / part.length));
    codeOf(part.repeat(300 / part.length));
    expect(performance.now() - started).toBeLessThan(50);
  }
});
