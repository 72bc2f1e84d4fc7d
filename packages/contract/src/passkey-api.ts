import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  AddPasskey,
  AskForPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyList,
  PasskeyRequestOptions,
  RenamePasskey,
} from './schemas/passkey.ts';
import { Ticket } from './schemas/verification.ts';

/** The endpoints of a person’s passkeys (Web Authentication). */
export const passkeyApi = {
  listPasskeys: endpoint({
    method: 'GET',
    path: '/api/passkeys',
    auth: 'session',
    response: PasskeyList,
    errors: ['not_signed_in'],
    summary: 'The passkeys of the account, newest first',
  }),
  passkeyOptions: endpoint({
    method: 'POST',
    path: '/api/passkeys/options',
    auth: 'session',
    query: AskForPasskey,
    response: PasskeyCreationOptions,
    errors: ['not_signed_in', 'step_up_required', 'passkeys_exhausted'],
    summary: 'What the browser needs to make a passkey',
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/passkeys',
    auth: 'session',
    body: AddPasskey,
    response: Passkey,
    status: 201,
    errors: [
      'not_signed_in',
      'step_up_required',
      'passkey_rejected',
      'challenge_expired',
      'passkey_exists',
      'passkeys_exhausted',
      'passkey_name_invalid',
    ],
    summary: 'Keep the passkey that the browser made',
  }),
  renamePasskey: endpoint({
    method: 'PATCH',
    path: '/api/passkeys/:id',
    auth: 'session',
    body: RenamePasskey,
    response: Passkey,
    errors: ['not_signed_in', 'not_found', 'passkey_name_invalid'],
    summary: 'Give a passkey another name',
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/passkeys/:id',
    auth: 'session',
    errors: ['not_signed_in', 'step_up_required', 'not_found', 'last_way_in'],
    summary: 'Remove a passkey: it opens nothing from then on',
  }),
  stepUpOptions: endpoint({
    method: 'POST',
    path: '/api/step-up/options',
    auth: 'session',
    response: PasskeyRequestOptions,
    errors: ['not_signed_in'],
    summary: 'What the browser needs to step up by a passkey',
  }),
  recoveryOptions: endpoint({
    method: 'POST',
    path: '/api/recovery/options',
    auth: 'none',
    body: z.strictObject({ ticket: Ticket }),
    response: PasskeyRequestOptions,
    errors: ['ticket_invalid', 'account_disabled'],
    summary: 'What the browser needs to recover with a passkey',
  }),
};
