import type { TotpStarted } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../../flow/components/copy-button.tsx';
import { Dialog } from '../../../../flow/dialog/dialog.tsx';
import { call } from '../../../../shell/api/client.ts';
import prose from '../../../../shell/components/prose.module.css';
import { TotpForm } from '../../../account/totp-form.tsx';
import { QrCode } from './qr-code.tsx';
import styles from './totp-dialog.module.css';

interface TotpDialogProps {
  started: TotpStarted;
  /** Gets the recovery codes once the app is set up. */
  onActivated: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

/** In groups of four, as people read it aloud and type it. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Hands the secret to an authenticator app, and takes its first code. */
export const TotpDialog = ({ started, onActivated, onClose }: TotpDialogProps) => {
  const { t } = useTranslation('security');
  const activate = async (code: string) => {
    const { recoveryCodes } = await call('PUT /api/totp', { body: { code } });
    onActivated(recoveryCodes);
  };
  return (
    <Dialog title={t('ways.totpTitle')} form onClose={onClose}>
      <p className={prose.lead}>{t('ways.totpScan')}</p>
      <QrCode text={started.uri} label={t('ways.totpQr')} />
      <p className={prose.lead}>{t('ways.totpType')}</p>
      <div className={styles.secret}>
        <code className={styles.value}>{inGroups(started.secret)}</code>
        <CopyButton text={started.secret} label={t('ways.totpCopy')} />
      </div>
      <TotpForm
        id="totp-code"
        action={t('ways.totpOn')}
        hint={t('ways.totpHint')}
        send={activate}
        onCancel={onClose}
      >
        <p className={prose.lead}>{t('ways.totpEnds')}</p>
      </TotpForm>
    </Dialog>
  );
};
