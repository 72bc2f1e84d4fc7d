import type { InteractionDetails } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { type ApiError, call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { leaveFor, useSubmit } from '../../shell/forms/use-submit.ts';
import { isPortal } from './flow-links.ts';

interface AbortLinkProps {
  uid: string;
  details: InteractionDetails;
  onError: (error: ApiError) => void;
}

/** Leads back to the app, which gets the error `access_denied`. */
export const AbortLink = ({ uid, details, onError }: AbortLinkProps) => {
  const { t } = useTranslation();
  const { busy, run } = useSubmit(async () => {
    const { returnTo } = await call('POST /interaction/:uid/abort', { params: { uid } });
    await leaveFor(returnTo);
  }, onError);
  if (isPortal(details)) return null;
  return (
    <Button look="text" busy={busy} onClick={() => run()}>
      {t('app.cancel')}
    </Button>
  );
};
