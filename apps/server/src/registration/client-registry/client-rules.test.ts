import { clientErrorStatus } from '@candela/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPglite } from '../../../testing/databases.ts';
import { insertAccount } from '../../../testing/protocol-store.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { createResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Connection } from '../../ground/db/connect.ts';
import { AppError } from '../../ground/errors.ts';
import type { ClientRegistry } from './client-registry.ts';

const operator = { kind: 'operator' } as const;
const ada = { kind: 'account', id: 'ada' } as const;

let connection: Connection;
let registry: ClientRegistry;
beforeAll(async () => {
  connection = await openPglite();
  ({ registry } = createRegistrations(connection.db));
  await insertAccount(connection.db, 'ada');
  await registry.create(operator, { ...web, client_id: 'trusted', name: 'Glow Home', verified: true });
  await createResourceServerService({ db: connection.db }).applyResourceServers([
    { identifier: 'https://api.example', name: 'Lamps', scopes: [{ name: 'lamps' }] },
    { identifier: 'https://other.example', name: 'Other', brand: 'borealis', scopes: [{ name: 'moods' }] },
    {
      identifier: 'https://weather.example',
      name: 'Weather',
      scopes: [{ name: 'weather' }],
      machine_access: 'developers',
    },
  ]);
});
afterAll(() => connection.close());

const web = { preset: 'web', name: 'Lamp tales', redirect_uris: ['https://lamp.example/callback'] };
const keyOf = (members: object) => ({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', ...members }] });

/** The code of each field for which a draft of a developer is refused. */
const refusalOf = async (draft: object): Promise<unknown> => {
  const before = (await registry.list(operator)).items.length;
  try {
    await registry.create(ada, { ...web, ...draft });
    return 'registered';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect((await registry.list(operator)).items).toHaveLength(before);
    return error.details.fields ?? error.code;
  }
};

const refusals: [string, object, Record<string, string>][] = [
  ['an unknown preset', { preset: 'toaster' }, { preset: 'preset_unknown' }],
  ['no preset', { preset: undefined }, { preset: 'preset_unknown' }],
  ['what the preset forbids', { grant_types: ['implicit'] }, { grant_types: 'preset_forbids' }],
  ['another kind of app', { application_type: 'native' }, { application_type: 'preset_forbids' }],
  ['a platform’s id', { vendor_id: 'M2EXAMPLE1234' }, { vendor_id: 'preset_forbids' }],
  ['no name', { name: ' ' }, { client_name: 'client_name_blank' }],
  ['a name of marks', { name: '•••' }, { client_name: 'client_name_blank' }],
  ['a long name', { name: 'a'.repeat(61) }, { client_name: 'client_name_too_long' }],
  ['a name that turns the text round', { name: 'Lamp\u202eselat' }, { client_name: 'client_name_confusing' }],
  ['a name with an invisible letter', { name: 'Lamp\u200btales' }, { client_name: 'client_name_confusing' }],
  ['a word of two scripts', { name: 'Lаmp tales' }, { client_name: 'client_name_confusing' }],
  ['a word with a Cherokee letter', { name: 'Ꮯandela' }, { client_name: 'client_name_confusing' }],
  ['a word with an Armenian letter', { name: 'Lampօ' }, { client_name: 'client_name_confusing' }],
  ['the brand’s name', { name: 'aurelia' }, { client_name: 'client_name_confusing' }],
  [
    'a name as of the brand’s own support',
    { name: 'Aurelia Support' },
    { client_name: 'client_name_confusing' },
  ],
  ['the same in look-alikes', { name: 'AureIia (verified)' }, { client_name: 'client_name_confusing' }],
  ['an address', { name: 'https://bank.example' }, { client_name: 'client_name_confusing' }],
  ['a host of somebody else', { name: 'bank.example' }, { client_name: 'client_name_confusing' }],
  [
    'a letter under many marks',
    { name: `La${'\u0301'.repeat(9)}mp` },
    { client_name: 'client_name_confusing' },
  ],
  ['a verified app’s name in look-alikes', { name: 'GIow-H0me' }, { client_name: 'client_name_confusing' }],
  ['a relative address', { redirect_uris: ['/cb'] }, { 'redirect_uris.0': 'uri_invalid' }],
  ['plain http', { redirect_uris: ['http://lamp.example/'] }, { 'redirect_uris.0': 'uri_not_https' }],
  ['a script', { redirect_uris: ['javascript:alert(1)'] }, { 'redirect_uris.0': 'uri_scheme_refused' }],
  ['data', { redirect_uris: ['data:text/html,x'] }, { 'redirect_uris.0': 'uri_scheme_refused' }],
  ['a fragment', { redirect_uris: ['https://lamp.example/#x'] }, { 'redirect_uris.0': 'uri_has_fragment' }],
  ['a wildcard', { redirect_uris: ['https://*.example/'] }, { 'redirect_uris.0': 'uri_has_wildcard' }],
  [
    'credentials',
    { redirect_uris: ['https://a:b@lamp.example/'] },
    { 'redirect_uris.0': 'uri_has_credentials' },
  ],
  [
    'an address of nobody’s platform',
    { preset: 'alexa', redirect_uris: ['https://lamp.example/'] },
    { 'redirect_uris.0': 'uri_not_of_platform' },
  ],
  [
    'a long address',
    { redirect_uris: [`https://a.example/${'a'.repeat(2000)}`] },
    { 'redirect_uris.0': 'uri_too_long' },
  ],
  [
    'too many addresses',
    { redirect_uris: Array(51).fill('https://a.example/') },
    { redirect_uris: 'too_many_values' },
  ],
  ['no address', { redirect_uris: [] }, { redirect_uris: 'uris_missing' }],
  [
    'two faults',
    {
      redirect_uris: ['https://lamp.example/', 'http://lamp.example/'],
      post_logout_redirect_uris: ['ftp://a.example/'],
    },
    { 'redirect_uris.1': 'uri_not_https', 'post_logout_redirect_uris.0': 'uri_scheme_refused' },
  ],
  ['a script as a home page', { client_uri: 'javascript:alert(1)' }, { client_uri: 'uri_scheme_refused' }],
  ['a plain policy', { policy_uri: 'http://lamp.example/' }, { policy_uri: 'uri_not_https' }],
  ['terms with credentials', { tos_uri: 'https://a@lamp.example/' }, { tos_uri: 'uri_has_credentials' }],
  ['a plain logo', { logo_uri: 'http://lamp.example/logo.png' }, { logo_uri: 'uri_not_https' }],
  ['a logo in the address', { logo_uri: 'data:image/png;base64,AA==' }, { logo_uri: 'uri_scheme_refused' }],
  [
    'a call into the network',
    { backchannel_logout_uri: 'https://127.0.0.1/' },
    { backchannel_logout_uri: 'uri_host_refused' },
  ],
  [
    'a plain call',
    { backchannel_logout_uri: 'http://lamp.example/' },
    { backchannel_logout_uri: 'uri_not_https' },
  ],
  ['an unknown scope', { scope: 'openid lanterns' }, { scope: 'scope_unknown' }],
  ['the scope of machines', { scope: 'openid clients' }, { scope: 'scope_unknown' }],
  ['another brand’s scope', { brand: 'aurelia', scope: 'openid moods' }, { scope: 'scope_unknown' }],
  [
    'a reason for what is not asked',
    { scope: 'openid', scope_reasons: { email: 'To write to you' } },
    { 'scope_reasons.email': 'scope_reason_invalid' },
  ],
  [
    'a long reason',
    { scope: 'openid email', scope_reasons: { email: 'a'.repeat(201) } },
    { 'scope_reasons.email': 'scope_reason_invalid' },
  ],
  [
    'a reason of two lines',
    { scope: 'openid email', scope_reasons: { email: 'a\nb' } },
    { 'scope_reasons.email': 'scope_reason_invalid' },
  ],
  [
    'a way to authenticate that is none',
    { token_endpoint_auth_method: 'password' },
    { token_endpoint_auth_method: 'auth_method_invalid' },
  ],
  ['keys that are missing', { token_endpoint_auth_method: 'private_key_jwt' }, { jwks: 'keys_missing' }],
  [
    'a private key',
    { token_endpoint_auth_method: 'private_key_jwt', jwks: keyOf({ d: 'd' }) },
    { jwks: 'keys_invalid' },
  ],
  ['too many keys', { jwks: { keys: Array(11).fill({ kty: 'EC' }) } }, { jwks: 'keys_invalid' }],
  [
    'keys in keys in keys',
    { jwks: JSON.parse(`${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`) },
    { jwks: 'value_invalid' },
  ],
  ['keys in no form', { jwks: { keys: 'none' } }, { jwks: 'keys_invalid' }],
  ['a longer life', { refresh_token_ttl: 400 * 86_400 }, { refresh_token_ttl: 'lifetime_invalid' }],
  ['a life of a blink', { access_token_ttl: 1 }, { access_token_ttl: 'lifetime_invalid' }],
  ['half a character', { contacts: ['a\ud800'] }, { contacts: 'value_invalid' }],
  ['nothing, in letters', { tos_uri: 'https://a.example/\u0000' }, { tos_uri: 'uri_invalid' }],
  ['a name with nothing in it', { name: 'a\u0000b' }, { client_name: 'client_name_confusing' }],
  ['an unknown brand', { brand: 'nobody' }, { brand: 'brand_unknown' }],
  ['a value of no kind', { refresh_mode: 'sometimes' }, { refresh_mode: 'value_invalid' }],
  [
    'an operator’s fields',
    { first_party: true, verified: true },
    { first_party: 'field_reserved', verified: 'field_reserved' },
  ],
  [
    'whose assertions link homes',
    { google_client_ids: '123.apps.googleusercontent.com', google_jwks_uri: 'https://keys.example/' },
    { google_client_ids: 'field_reserved', google_jwks_uri: 'field_reserved' },
  ],
  ['an id of its own choice', { client_id: 'trusted' }, { client_id: 'field_reserved' }],
  ['a name in a language', { 'client_name#ru': 'Лампа' }, { 'client_name#ru': 'field_reserved' }],
  [
    'the scope of introspection',
    { resource_server: 'https://api.example' },
    { resource_server: 'field_reserved' },
  ],
  [
    'a fault that the engine alone finds',
    { contacts: ['x'], id_token_signed_response_alg: 'none' },
    { id_token_signed_response_alg: 'value_invalid' },
  ],
];

test.each(refusals)(
  'CL3: %s is refused by the field’s own code, and nothing is stored',
  async (_what, draft, fields) => {
    expect(await refusalOf(draft)).toEqual(fields);
  },
);

test.each([
  { name: 'Лампа и Lamp' },
  { name: '灯のはなし' },
  { name: 'Lamp & Söhne №1' },
  { name: 'C:\\new' },
  { scope: 'openid lamps', scope_reasons: { lamps: 'To turn them on — даже ночью' } },
  { preset: 'native', redirect_uris: ['com.example.lamp:/callback', 'http://127.0.0.1/'] },
  { brand: 'borealis', scope: 'openid moods' },
  { token_endpoint_auth_method: 'private_key_jwt', jwks: keyOf({}) },
])('%j is registered', async (draft) => {
  expect(await refusalOf(draft)).toBe('registered');
});

test('the faults of several kinds have one code for them all', async () => {
  await expect(registry.create(ada, { ...web, name: '', brand: 'nobody' })).rejects.toMatchObject({
    code: 'client_invalid',
    details: { fields: { client_name: 'client_name_blank', brand: 'brand_unknown' } },
    cause: { message: expect.stringContaining('brand "nobody" is not served: served are aurelia, borealis') },
  });
});

test('a fault of what stays does not stop a change of another field', async () => {
  const { client } = await registry.create(ada, { ...web, name: 'Sun room' });
  await registry.create(operator, { ...web, name: 'Sun Room', first_party: true });
  const id = client.client_id;
  expect(await registry.update(ada, id, { access_token_ttl: 600 })).toMatchObject({
    client_name: 'Sun room',
  });
  await expect(registry.update(ada, id, { name: 'SUN ROOM' })).rejects.toThrow('client_name_confusing');
});

test('a verified client that takes another name or host is verified no more', async () => {
  const { client } = await registry.create(operator, { ...web, name: 'Beam', verified: true, owner: 'ada' });
  const id = client.client_id;
  const same = { redirect_uris: ['https://lamp.example/another'], access_token_ttl: 600 };
  expect(await registry.update(ada, id, same)).toMatchObject({ verified: true });
  expect(await registry.update(ada, id, { name: 'Beams' })).toMatchObject({ verified: false });
  await registry.update(operator, id, { verified: true });
  expect(await registry.update(ada, id, { redirect_uris: ['https://else.example/'] })).toMatchObject({
    verified: false,
  });
});

test('every code for a field is one of the contract', () => {
  const used = new Set(refusals.flatMap(([, , fields]) => Object.values(fields)));
  for (const code of used) expect(Object.keys(clientErrorStatus)).toContain(code);
});

describe('a scope of an API for a client that acts for itself', () => {
  const machine = { preset: 'machine', name: 'Night watch', redirect_uris: undefined };
  const reserved = expect.objectContaining({ details: { fields: { scope: 'field_reserved' } } });

  test('is given by an operator, or by a developer where the API says so', async () => {
    const mixed = { grant_types: ['authorization_code', 'client_credentials'] };
    for (const draft of [machine, { ...web, ...mixed }])
      await expect(registry.create(ada, { ...draft, scope: 'weather lamps' })).rejects.toEqual(reserved);
    expect((await registry.create(ada, { ...machine, scope: 'weather' })).client.scope).toBe('weather');
    expect((await registry.create(operator, { ...machine, scope: 'lamps' })).client.scope).toBe('lamps');
  });

  test('is added to no machine by a developer, and stays where an operator gave it', async () => {
    const { client } = await registry.create(ada, machine);
    const { client_id: id } = client;
    expect(client.apiScopes?.map(({ name }) => name)).toEqual(['weather']);
    await expect(registry.update(ada, id, { scope: 'lamps' })).rejects.toEqual(reserved);
    await registry.update(operator, id, { scope: 'lamps' });
    const changed = await registry.update(ada, id, { scope: 'lamps weather', name: 'Day watch' });
    expect(changed.scope).toBe('lamps weather');
    expect(changed.apiScopes?.map(({ name }) => name)).toEqual(['lamps', 'weather']);
  });

  test('is not reached by an app that people approve and that becomes a machine', async () => {
    const { client } = await registry.create(ada, { ...web, scope: 'openid lamps' });
    const grant_types = ['authorization_code', 'client_credentials'];
    await expect(registry.update(ada, client.client_id, { grant_types })).rejects.toEqual(reserved);
  });
});

test('the host of an app is its name for as long as people return there', async () => {
  const own = { ...web, name: 'lamp.example' };
  const { client } = await registry.create(ada, own);
  const { client_id: id } = client;
  const elsewhere = { redirect_uris: ['https://evil.example/callback'] };
  await expect(registry.update(ada, id, elsewhere)).rejects.toMatchObject({
    details: { fields: { client_name: 'client_name_confusing' } },
  });
  const both = { redirect_uris: [...web.redirect_uris, ...elsewhere.redirect_uris] };
  await expect(registry.update(ada, id, both)).rejects.toMatchObject({ code: 'client_name_confusing' });
  const more = ['https://eu.lamp.example/callback', 'http://localhost:3000/callback'];
  await registry.update(ada, id, { redirect_uris: [...web.redirect_uris, ...more] });
  await registry.update(ada, id, { ...elsewhere, name: 'Lamp tales' });
  // What an operator named stays.
  await registry.update(operator, id, { name: 'bank.example' });
  await registry.update(ada, id, { redirect_uris: ['https://evil.example/another'] });
});

test('no app is named like a host that stands behind its private scheme', async () => {
  const native = {
    preset: 'native',
    name: 'bank.example',
    redirect_uris: ['com.evil.app://bank.example/cb'],
  };
  expect(await refusalOf(native)).toEqual({ client_name: 'client_name_confusing' });
});

test('the mark of an app that an operator verified goes with another scheme', async () => {
  for (const [from, to] of [
    ['com.good.lamp://oauth/cb', 'com.evil.app://oauth/cb'],
    ['https://app.example/cb', 'com.evil.app://app.example/cb'],
  ] as const) {
    const native = { preset: 'native', name: `Good ${from.slice(0, 5)}`, verified: true };
    const made = await registry.create(operator, { ...native, redirect_uris: [from], owner: 'ada' });
    const { client_id: id } = made.client;
    expect(made.client).toMatchObject({ verified: true });
    const changed = await registry.update(ada, id, { redirect_uris: [to] });
    expect([changed.verified, changed.summary.host]).toEqual([false, 'com.evil.app']);
  }
});
