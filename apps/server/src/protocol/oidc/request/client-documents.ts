import { errors } from 'oidc-provider';
import { AppError } from '../../../ground/errors.ts';
import type { ClientDocumentService } from '../../../registration/client-document/client-document.service.ts';
import { DocumentFault } from '../../../registration/client-document/document-fault.ts';
import { toDescription } from '../error-descriptions.ts';
import { type EngineRequest, setRetryAfter } from '../seam/engine-request.ts';
import { TooManyAnonymousRequests } from './anonymous-limits.ts';

/**
 * Where a person begins to approve an app, by the engine's names. Only there is a document fetched and its client
 * taken up: what a person approved goes on while the document's host is away, or is no longer taken.
 */
const BEGINNINGS: readonly (string | undefined)[] = [
  'authorization',
  'pushed_authorization_request',
  'device_authorization',
];

export const beginsApproval = ({ route }: EngineRequest): boolean => BEGINNINGS.includes(route);

/**
 * Makes sure that the client of a document is registered.
 * @throws InvalidClient, TooManyAnonymousRequests
 */
export const bringClient = async (
  documents: ClientDocumentService,
  id: string,
  address: string,
): Promise<void> => {
  try {
    await documents.bring(id, address);
  } catch (error) {
    if (error instanceof DocumentFault)
      throw new errors.InvalidClient(toDescription(`the client id metadata document ${error.message}`));
    if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
    setRetryAfter(error.details.retryAfterSeconds ?? 1);
    throw new TooManyAnonymousRequests();
  }
};
