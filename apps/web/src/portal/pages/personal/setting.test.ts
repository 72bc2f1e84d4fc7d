import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepUnsaved, takeUnsaved } from './setting.ts';

const key = 'candela.unsaved';

describe('input from before the session ended', () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
      removeItem: (name: string) => stored.delete(name),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test('is restored, once', () => {
    const unsaved = { accountId: 'lena', setting: 'nickname', nickname: 'Lena' } as const;
    keepUnsaved(unsaved);
    expect(takeUnsaved('lena')).toEqual(unsaved);
    expect(takeUnsaved('lena')).toBeUndefined();
  });

  test('is not shown to another account, and not kept for later', () => {
    const draft = { kind: 'phone', country: 'CN', dial: '86', text: '138' } as const;
    keepUnsaved({ accountId: 'lena', setting: 'phone', draft });
    expect(takeUnsaved('boris')).toBeUndefined();
    expect(stored.has(key)).toBe(false);
  });

  test.each([
    '{',
    'null',
    '{"accountId":"lena","setting":"password"}',
    '{"accountId":"lena","setting":"email","draft":7}',
  ])('is dropped where it is not understood: %s', (text) => {
    stored.set(key, text);
    expect(takeUnsaved('lena')).toBeUndefined();
  });

  test('is typed again where storage is blocked', () => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
    keepUnsaved({ accountId: 'lena', setting: 'nickname', nickname: 'Lena' });
    expect(takeUnsaved('lena')).toBeUndefined();
  });
});
