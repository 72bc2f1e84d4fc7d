import { expect, test } from 'vitest';
import { choicesOf, keptOf, permissionsOf, toPermissions } from './permissions.ts';

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

test('optional scopes stay apart from required scopes, and openid adds nothing to them', () => {
  const permissions = toPermissions([asked('openid'), asked('email', { optional: true })]);
  expect(permissions).toEqual([
    { kind: 'personal', scopes: ['email'], keys: ['email'], granted: false, optional: true },
  ]);
});

test('openid alone is shown, and an unknown scope by its name', () => {
  expect(toPermissions([asked('openid'), asked('lights:write')]).map(({ scopes }) => scopes)).toEqual([
    ['openid'],
    ['lights:write'],
  ]);
});

test('scopes of APIs follow the scopes of the account, each by itself and in the words of its API', () => {
  const lights = { resource: 'Lights', description: { en: 'see your lights' } };
  const permissions = toPermissions([
    asked('offline_access'),
    asked('read', { ...lights, key: 'https://lights.example/#read' }),
    asked('read', { resource: 'Scenes' }),
    asked('openid'),
  ]);
  const fresh = { granted: false, optional: false };
  expect(permissions).toEqual([
    { kind: 'personal', scopes: ['openid'], keys: ['openid'], ...fresh },
    { kind: 'resource', scopes: ['read'], keys: ['https://lights.example/#read'], ...fresh, ...lights },
    { kind: 'resource', scopes: ['read'], keys: ['read'], ...fresh, resource: 'Scenes' },
    { kind: 'offline', scopes: ['offline_access'], keys: ['offline_access'], ...fresh },
  ]);
});

test('a combined permission has each reason of its scopes once', () => {
  const reason = 'to tell you when a lamp fails';
  const permissions = toPermissions([
    asked('openid'),
    asked('email', { reason }),
    asked('phone', { reason }),
    asked('profile', { reason: 'to greet you' }),
  ]);
  expect(permissions.map(({ kind, reasons }) => [kind, reasons])).toEqual([
    ['personal', [reason]],
    ['profile', ['to greet you']],
  ]);
});

test('an approval shows a scope of an API once, and a scope of a removed API by its name', () => {
  const permissions = permissionsOf({
    scopes: ['openid', 'read', 'gone', 'offline_access'],
    resourceScopes: [{ name: 'read', key: 'https://lights.example/#read', resource: 'Lights' }],
  });
  expect(permissions.map(({ kind, scopes }) => [kind, scopes])).toEqual([
    ['personal', ['openid']],
    ['resource', ['read']],
    ['other', ['gone']],
    ['offline', ['offline_access']],
  ]);
});

test('of an approval, what can be taken away stands apart, and what stays has its name or its key', () => {
  const of = (api: string) => ({ name: 'read', key: `https://${api}.example/#read`, resource: api });
  const approved = {
    scopes: ['openid', 'email', 'phone', 'read', 'offline_access'],
    resourceScopes: [of('lights'), of('scenes')],
    optionalScopes: ['email', 'https://lights.example/#read', 'https://scenes.example/#read'],
  };
  expect(choicesOf(approved).map(({ keys, optional }) => [keys, optional])).toEqual([
    [['openid', 'phone'], false],
    [['email'], true],
    [['https://lights.example/#read'], true],
    [['https://scenes.example/#read'], true],
    [['offline_access'], false],
  ]);
  const both = ['https://lights.example/#read', 'https://scenes.example/#read'];
  expect(keptOf(approved, ['email'])).toEqual(['openid', 'phone', 'read', 'offline_access', ...both]);
  const [lights = '', scenes = ''] = both;
  expect(keptOf(approved, [scenes])).toEqual(['openid', 'email', 'phone', 'offline_access', lights]);
});
