import { endpoint } from './endpoint.ts';
import { ClientStream, ReplaySignal, SetStream, StreamSecret } from './schemas/stream.ts';
import { developerErrors } from './shared-errors.ts';

/** A client of another developer answers `not_found`, as an unknown one and one without a stream do. */
const ofOne = [...developerErrors, 'not_found'] as const;

/** The endpoints of whoever sets up the signals of a client. */
export const streamApi = {
  getClientStream: endpoint({
    method: 'GET',
    path: '/api/clients/:id/stream',
    auth: 'developer',
    response: ClientStream,
    errors: ofOne,
    summary: 'The stream of signals of a client, and what became of the last signals',
  }),
  setClientStream: endpoint({
    method: 'PUT',
    path: '/api/clients/:id/stream',
    auth: 'developer',
    body: SetStream,
    response: ClientStream,
    errors: [
      ...ofOne,
      'operator_required',
      'uri_invalid',
      'uri_not_https',
      'uri_host_refused',
      'uri_too_long',
      'value_invalid',
      'too_many_values',
      'stream_exists',
    ],
    summary: 'Make the stream of a client, or change it',
  }),
  removeClientStream: endpoint({
    method: 'DELETE',
    path: '/api/clients/:id/stream',
    auth: 'developer',
    errors: [...ofOne, 'operator_required'],
    summary: 'Delete the stream of a client, with all that waits in it',
  }),
  testClientStream: endpoint({
    method: 'POST',
    path: '/api/clients/:id/stream/test',
    auth: 'developer',
    status: 202,
    errors: [...ofOne, 'operator_required'],
    summary: 'Send a test to the receiver of the stream',
  }),
  replayClientSignal: endpoint({
    method: 'POST',
    path: '/api/clients/:id/stream/replay',
    auth: 'developer',
    body: ReplaySignal,
    status: 202,
    errors: [...ofOne, 'operator_required'],
    summary: 'Send a settled signal again',
  }),
  turnOverStreamSecret: endpoint({
    method: 'POST',
    path: '/api/clients/:id/stream/secret',
    auth: 'developer',
    response: StreamSecret,
    errors: [...ofOne, 'operator_required', 'stream_not_webhook'],
    summary: 'Make a new signing secret; its value is in this answer only',
  }),
};
