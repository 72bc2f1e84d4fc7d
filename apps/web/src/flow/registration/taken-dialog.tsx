import { useTranslation } from 'react-i18next';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import prose from '../../shell/components/prose.module.css';
import { Dialog } from '../dialog/dialog.tsx';
import { wholeIdentifier } from '../identifier/dial-code.ts';

interface TakenDialogProps {
  identifier: string;
  busy: boolean;
  onSignIn: () => void;
  onClose: () => void;
}

/** Says that the identifier has an account. Only a person who has proven to own it sees this. */
export const TakenDialog = ({ identifier, busy, onSignIn, onClose }: TakenDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog title={t('register.takenTitle')} alert onClose={onClose}>
      <p className={prose.lead}>{t('register.takenText', { identifier: wholeIdentifier(identifier) })}</p>
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="primary" busy={busy} onClick={onSignIn}>
          {t('register.takenSignIn')}
        </Button>
      </Actions>
    </Dialog>
  );
};
