import { createClientDocumentService } from '../../registration/client-document/client-document.service.ts';
import { createDocumentDownload } from '../../registration/client-document/document-download.ts';
import { createDocumentLimits } from '../../registration/client-document/document-limits.ts';
import type { Foundation } from './foundation.ts';
import type { WiredStorage } from './storage.ts';

/** The clients that describe themselves; undefined where no documents are taken. */
export const wireDocuments = (
  { config: { clientDocuments: hosts }, connection: { db }, events, logger, now }: Foundation,
  { registry }: Pick<WiredStorage, 'registry'>,
) =>
  hosts === 'off'
    ? undefined
    : createClientDocumentService({
        db,
        hosts,
        registry,
        download: createDocumentDownload(hosts),
        limits: createDocumentLimits({ db, events }),
        events,
        logger,
        now,
      });
