import { expect, test } from 'vitest';
import { toPermissions } from './permissions.ts';

const asked = (name: string, extra = {}) => ({ name, granted: false, optional: false, ...extra });

test('openid, email and phone are one permission', () => {
  const permissions = toPermissions(
    ['openid', 'profile', 'offline_access', 'email', 'phone'].map((name) => asked(name)),
  );
  expect(permissions.map(({ kind, scopes }) => [kind, scopes])).toEqual([
    ['personal', ['openid', 'email', 'phone']],
    ['profile', ['profile']],
    ['offline', ['offline_access']],
  ]);
});

test('what may be left out stays apart from what may not, and openid adds nothing to it', () => {
  const permissions = toPermissions([asked('openid'), asked('email', { optional: true })]);
  expect(permissions).toEqual([{ kind: 'personal', scopes: ['email'], granted: false, optional: true }]);
});

test('openid alone is still told, and an unknown scope by its name', () => {
  expect(toPermissions([asked('openid'), asked('lights:write')]).map(({ scopes }) => scopes)).toEqual([
    ['openid'],
    ['lights:write'],
  ]);
});
