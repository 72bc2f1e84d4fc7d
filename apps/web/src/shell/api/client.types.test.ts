import type { Account, EndpointErrors, NamedEndpoint } from '@candela/contract';
import { expectTypeOf, test } from 'vitest';
import { call } from './client.ts';

/** Keeps its argument from running: this file tests what the compiler accepts and refuses. */
const notRun = (_: () => unknown): void => undefined;

test('a path or a method that the contract does not have does not compile', () => {
  // @ts-expect-error no such path
  notRun(() => call('GET /api/accounts'));
  // @ts-expect-error no such method of this path
  notRun(() => call('POST /api/account'));
});

test('a body is the endpoint’s own, whole and with nothing else in it', () => {
  notRun(() => call('PUT /api/account/phone', { body: { phone: '+8613800138000', code: '123456' } }));
  // @ts-expect-error the code is missing
  notRun(() => call('PUT /api/account/phone', { body: { phone: '+8613800138000' } }));
  // @ts-expect-error no such field
  notRun(() => call('PATCH /api/account', { body: { nickname: 'Lena', phone: '1' } }));
  // @ts-expect-error a field of another type
  notRun(() => call('PATCH /api/account', { body: { nickname: 1 } }));
  // @ts-expect-error the body is missing
  notRun(() => call('PUT /api/account/password'));
  // @ts-expect-error an endpoint without a body
  notRun(() => call('GET /api/account', { body: {} }));
  notRun(() => call('POST /api/sign-out'));
});

test('a picture is sent as it is', () => {
  notRun(() => call('PUT /api/account/avatar', { body: new Blob() }));
  // @ts-expect-error JSON is no picture
  notRun(() => call('PUT /api/account/avatar', { body: { picture: '' } }));
});

test('parameters and queries are the endpoint’s own', () => {
  notRun(() => call('DELETE /api/sessions/:id', { params: { id: 'x' } }));
  // @ts-expect-error the parameter is missing
  notRun(() => call('DELETE /api/sessions/:id'));
  // @ts-expect-error no such parameter
  notRun(() => call('DELETE /api/sessions/:id', { params: { uid: 'x' } }));
  notRun(() => call('DELETE /api/sessions', { query: { except: 'current' } }));
  // @ts-expect-error no such value
  notRun(() => call('DELETE /api/sessions', { query: { except: 'others' } }));
});

test('an answer and the codes of a refusal are the endpoint’s own', () => {
  expectTypeOf(call<'GET /api/account'>).returns.resolves.toEqualTypeOf<Account>();
  expectTypeOf(call<'DELETE /api/account/avatar'>).returns.resolves.toBeUndefined();
  type Codes = EndpointErrors<NamedEndpoint<'DELETE /api/account/phone'>>;
  expectTypeOf<'last_identifier' | 'rate_limited'>().toExtend<Codes>();
  expectTypeOf<'image_unreadable'>().not.toExtend<Codes>();
});
