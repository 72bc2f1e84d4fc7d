import { endpoint } from './endpoint.ts';
import { ExportState, Leaving } from './schemas/leaving.ts';

/** The endpoints by which a person takes their data and leaves; they are part of `accountApi`. */
export const leavingApi = {
  leave: endpoint({
    method: 'DELETE',
    path: '/api/account',
    auth: 'session',
    response: Leaving,
    errors: ['not_signed_in', 'step_up_required', 'deletion_pending'],
    summary: 'Delete the account after 14 days: every browser is signed out, apps wait',
  }),
  keep: endpoint({
    method: 'POST',
    path: '/api/account/keep',
    auth: 'session',
    errors: ['not_signed_in'],
    summary: 'Keep the account that was to be deleted',
  }),
  requestExport: endpoint({
    method: 'POST',
    path: '/api/export',
    auth: 'session',
    response: ExportState,
    status: 202,
    errors: ['not_signed_in', 'step_up_required', 'account_disabled'],
    summary: 'Prepare a file with everything about the person',
  }),
  getExport: endpoint({
    method: 'GET',
    path: '/api/export',
    auth: 'session',
    response: ExportState,
    errors: ['not_signed_in'],
    summary: 'Whether the file is being prepared, or ready',
  }),
  downloadExport: endpoint({
    method: 'GET',
    path: '/api/export/file',
    auth: 'session',
    file: 'application/zip',
    errors: ['not_signed_in', 'step_up_required', 'account_disabled', 'cross_site', 'not_found'],
    summary: 'Download the file, once',
  }),
};
