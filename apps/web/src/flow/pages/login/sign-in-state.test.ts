import { describe, expect, test } from 'vitest';
import { onlyFault } from '../../../shell/forms/only-fault.ts';
import { emptySignIn, type SignInEvent, type SignInState, signInReducer } from './sign-in-state.ts';

const empty = emptySignIn('code');
const wrongCode = { code: { code: 'code_incorrect' } } as const;
const wrongIdentifier = { identifier: { code: 'email_invalid' } } as const;
const busy = { code: 'unavailable' } as const;
const lena = { identifier: 'lena@example.com', ticket: 't' };

interface Step {
  name: string;
  before?: Partial<SignInState>;
  event: SignInEvent;
  after: Partial<SignInState>;
}

const steps: readonly Step[] = [
  {
    name: 'another method begins without errors and keeps what was typed',
    before: { code: '12', password: 'moon', errors: wrongCode, unsent: busy, refusals: 2 },
    event: { type: 'method-chosen', method: 'password' },
    after: { method: 'password', code: '12', password: 'moon', refusals: 2 },
  },
  {
    name: 'another code stands in its field, whose error goes',
    before: { code: '123456', errors: { ...wrongCode, ...wrongIdentifier } },
    event: { type: 'typed', field: 'code', text: '12345' },
    after: { code: '12345', errors: wrongIdentifier },
  },
  {
    name: 'the same code keeps its error',
    before: { code: '123456', errors: wrongCode },
    event: { type: 'typed', field: 'code', text: '123456' },
    after: { code: '123456', errors: wrongCode },
  },
  {
    name: 'a typed password stands in its field',
    event: { type: 'typed', field: 'password', text: 'moon' },
    after: { password: 'moon' },
  },
  {
    name: 'a field that is mended takes its own error with it, and that of the form',
    before: { errors: { ...wrongCode, ...wrongIdentifier, form: busy } },
    event: { type: 'mended', field: 'identifier' },
    after: { errors: wrongCode },
  },
  {
    name: 'a field without an error that is mended leaves the others',
    before: { errors: wrongCode, unsent: busy },
    event: { type: 'mended', field: 'identifier' },
    after: { errors: wrongCode, unsent: busy },
  },
  {
    name: 'a request begins without errors',
    before: { code: '123456', errors: wrongIdentifier, unsent: busy, refusals: 1 },
    event: { type: 'sent' },
    after: { code: '123456', refusals: 1 },
  },
  {
    name: 'a wrong code is a refusal',
    event: { type: 'refused', errors: wrongCode },
    after: { errors: wrongCode, refusals: 1 },
  },
  {
    name: 'a wrong code beside something else is one refusal',
    event: { type: 'refused', errors: { ...wrongCode, ...wrongIdentifier } },
    after: { errors: { ...wrongCode, ...wrongIdentifier }, refusals: 1 },
  },
  {
    name: 'a refusal takes the place of the one before, and moves the focus again',
    before: { errors: wrongIdentifier, unsent: busy, refusals: 1 },
    event: { type: 'refused', errors: { form: busy } },
    after: { errors: { form: busy }, unsent: busy, refusals: 2 },
  },
  {
    name: 'a code for an identifier that is none shows that one error, without the summary’s focus',
    before: { errors: wrongCode, refusals: 1 },
    event: { type: 'identifier-refused', problem: wrongIdentifier.identifier },
    after: { errors: wrongIdentifier, refusals: 1 },
  },
  {
    name: 'a code that could not be sent is no error of a field',
    event: { type: 'code-unsent', problem: busy },
    after: { unsent: busy },
  },
  {
    name: 'an identifier without an account opens the question, and nothing else is wrong',
    before: { errors: wrongCode, unsent: busy },
    event: { type: 'account-unknown', ...lena },
    after: { unknown: lena },
  },
  {
    name: 'the question is closed, and the form is as it was',
    before: { unknown: lena, code: '123456' },
    event: { type: 'unknown-closed' },
    after: { code: '123456' },
  },
  { name: 'an accepted sign-in leaves', event: { type: 'accepted' }, after: { accepted: true } },
  {
    name: 'a page that is still there may sign in again',
    before: { accepted: true, code: '123456' },
    event: { type: 'stayed' },
    after: { code: '123456' },
  },
];

describe('the sign-in form', () => {
  test.each(steps)('$name', ({ before, event, after }) => {
    expect(signInReducer({ ...empty, ...before }, event)).toEqual({ ...empty, ...after });
  });

  test.each([
    [{}, undefined],
    [wrongCode, 'code'],
    [wrongIdentifier, 'identifier'],
    [{ ...wrongCode, ...wrongIdentifier }, undefined],
    [{ ...wrongCode, form: busy }, undefined],
    [{ form: busy }, undefined],
  ])('what alone is at fault in %j: %s', (errors, only) => {
    expect(onlyFault(errors)).toBe(only);
  });
});
