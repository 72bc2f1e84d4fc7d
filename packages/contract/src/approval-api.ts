import { endpoint } from './endpoint.ts';
import { Approve, Approved } from './schemas/approval.ts';

/** The endpoint by which the brand's own signed-in app approves a client for its person. */
export const approvalApi = {
  approve: endpoint({
    method: 'POST',
    path: '/api/approvals',
    auth: 'app',
    body: Approve,
    response: Approved,
    errors: [
      'not_signed_in',
      'own_app_required',
      'account_disabled',
      'deletion_pending',
      'approval_not_taken',
      'redirect_uri_unknown',
      'scope_unknown',
    ],
    summary: 'Approve a client for the person of the brand’s own app; answers an authorization code',
  }),
};
