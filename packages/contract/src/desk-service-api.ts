import { deskErrors } from './desk-api.ts';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { ClientErrorList, ClientHistory } from './schemas/client.ts';
import { PlainAct } from './schemas/desk.ts';
import {
  AnswerDeveloperRequest,
  DeskClient,
  DeskClientErrorQuery,
  DeskClientList,
  DeskClientsQuery,
  DeskDeveloperRequestList,
  DeskDone,
  DeskService,
  ServiceQuery,
} from './schemas/desk-service.ts';
import { Page } from './schemas/session.ts';

const changeErrors = [
  ...deskErrors,
  'reason_blank',
  'reason_too_long',
  'step_up_required',
  'nothing_to_do',
] as const satisfies readonly ErrorCode[];

const auth = 'staff';

/** The endpoints of the desk that are about no account: the service, apps, and who may register them. */
export const deskServiceApi = {
  getDeskService: endpoint({
    method: 'GET',
    path: '/api/desk/service',
    auth,
    role: 'viewer',
    query: ServiceQuery,
    response: DeskService,
    errors: deskErrors,
    summary: 'How the service fares: processes, database, what waits, and the counts of a day or of 90',
  }),
  listDeskClients: endpoint({
    method: 'GET',
    path: '/api/desk/clients',
    auth,
    role: 'viewer',
    query: DeskClientsQuery,
    response: DeskClientList,
    errors: deskErrors,
    summary: 'All clients with what is wrong with each, the newest first',
  }),
  getDeskClient: endpoint({
    method: 'GET',
    path: '/api/desk/clients/:id',
    auth,
    role: 'viewer',
    response: DeskClient,
    errors: deskErrors,
    summary: 'One client: its registration, how it fares, and who manages it',
  }),
  listDeskClientErrors: endpoint({
    method: 'GET',
    path: '/api/desk/clients/:id/errors',
    auth,
    role: 'viewer',
    query: DeskClientErrorQuery,
    response: ClientErrorList,
    errors: deskErrors,
    summary: 'Refused requests of the last 7 days, the newest first',
  }),
  listDeskClientHistory: endpoint({
    method: 'GET',
    path: '/api/desk/clients/:id/history',
    auth,
    role: 'viewer',
    query: Page,
    response: ClientHistory,
    errors: deskErrors,
    summary: 'Who changed what of the registration, the newest first',
  }),
  disableDeskClient: endpoint({
    method: 'POST',
    path: '/api/desk/clients/:id/disable',
    auth,
    role: 'operator',
    body: PlainAct,
    response: DeskDone,
    errors: changeErrors,
    summary: 'End all that a client was given, and give it nothing more',
  }),
  enableDeskClient: endpoint({
    method: 'POST',
    path: '/api/desk/clients/:id/enable',
    auth,
    role: 'operator',
    body: PlainAct,
    response: DeskDone,
    errors: changeErrors,
    summary: 'Let a disabled client begin anew',
  }),
  listDeveloperRequests: endpoint({
    method: 'GET',
    path: '/api/desk/developers',
    auth,
    role: 'operator',
    response: DeskDeveloperRequestList,
    errors: deskErrors,
    summary: 'Who asks to register clients, the oldest first',
  }),
  answerDeveloperRequest: endpoint({
    method: 'POST',
    path: '/api/desk/developers/:id',
    auth,
    role: 'operator',
    body: AnswerDeveloperRequest,
    response: DeskDone,
    errors: [...changeErrors, 'own_account'],
    summary: 'Let an account register clients, or refuse it; its person is told',
  }),
};
