import { describe, expect, test } from 'vitest';
import { displayIdentifier, splitDial, wholeIdentifier } from './dial-code.ts';
import { checkDraft, emptyDraft, withCountry, withIdentifier, withKind, withText } from './draft.ts';
import { openPhoneBook } from './phone-book.ts';

const book = await openPhoneBook();

describe('an identifier being typed', () => {
  test('starts in the country of the language', () => {
    expect(emptyDraft('zh-Hans')).toMatchObject({ kind: 'phone', country: 'CN', dial: '86' });
    expect(emptyDraft('ru')).toMatchObject({ country: 'RU', dial: '7' });
  });

  test('becomes an e-mail at the first @', () => {
    const draft = withText(emptyDraft('en'), 'lena@', book);
    expect(draft).toMatchObject({ kind: 'email', text: 'lena@' });
  });

  test('moves a pasted country code into the picker', () => {
    expect(withText(emptyDraft('en'), '+86 138 0013 8000', book)).toMatchObject({
      kind: 'phone',
      country: 'CN',
      text: '13800138000',
    });
    expect(withText({ ...emptyDraft('en'), kind: 'email' }, '＋8613800138000', undefined)).toMatchObject({
      kind: 'phone',
      dial: '86',
    });
  });

  test('distinguishes Kazakhstan from Russia by the number', () => {
    expect(withText(emptyDraft('en'), '+77012345678', book).country).toBe('KZ');
    expect(withText(emptyDraft('en'), '+79161234567', book).country).toBe('RU');
  });

  test('keeps an unknown country code as typed until the phone book is there', () => {
    const early = withIdentifier(emptyDraft('en'), '+442071838750', undefined);
    expect(early.text).toBe('+442071838750');
    expect(checkDraft(early, undefined)).toEqual({ identifier: '+442071838750' });
    expect(withText(early, early.text, book)).toMatchObject({
      country: 'GB',
      dial: '44',
      text: '2071838750',
    });
  });

  test('is sent as E.164, without the trunk prefix', () => {
    const russian = withText(withCountry(emptyDraft('ru'), 'RU', book), '8 (916) 123-45-67', book);
    expect(checkDraft(russian, book)).toEqual({ identifier: '+79161234567' });
  });

  test('has the code of its problem', () => {
    const phone = emptyDraft('zh-Hans');
    expect(checkDraft(phone, book)).toEqual({ error: 'phone_blank' });
    expect(checkDraft({ ...phone, text: '12' }, book)).toEqual({ error: 'phone_invalid' });
    expect(checkDraft({ ...phone, kind: 'email', text: ' ' }, book)).toEqual({ error: 'email_blank' });
    expect(checkDraft({ ...phone, kind: 'email', text: 'a@b' }, book)).toEqual({ error: 'email_invalid' });
    expect(checkDraft({ ...phone, kind: 'email', text: ' ａ@b.cn ' }, book)).toEqual({
      identifier: 'a@b.cn',
    });
  });
});

describe('a phone on screen', () => {
  test('is split by the length of its country code', () => {
    expect(splitDial('+852 2345 6789')).toEqual({ dial: '852', national: '23456789' });
    expect(splitDial('+8')).toBeUndefined();
    expect(splitDial('138')).toBeUndefined();
  });

  test('hides its middle', () => {
    expect(displayIdentifier('+8613800138000')).toBe('+86 138 •••• 8000');
    expect(displayIdentifier('lena@example.com')).toBe('lena@example.com');
  });

  test.each([
    ['+8613800138000', '+86 138 0013 8000'],
    ['+79161230483', '+7 916 123 0483'],
    ['+886912345678', '+886 912 345 678'],
    ['+85223456789', '+852 2345 6789'],
    ['+49301234', '+49 301234'],
    ['lena@example.com', 'lena@example.com'],
  ])('is whole where it is to be checked: %s', (identifier, whole) => {
    expect(wholeIdentifier(identifier).replaceAll('\u00a0', ' ')).toBe(whole);
  });
});

test('another kind keeps a text that fits it, and drops one that cannot', () => {
  const typed = (text: string, kind: 'phone' | 'email') => withKind({ ...emptyDraft('en'), text }, kind).text;
  expect(typed('5551234', 'email')).toBe('');
  expect(typed('lena', 'email')).toBe('lena');
  expect(typed('lena@example.com', 'phone')).toBe('');
  expect(typed('555 12', 'phone')).toBe('555 12');
});
