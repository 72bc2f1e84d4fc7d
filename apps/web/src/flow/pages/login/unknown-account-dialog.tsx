import { useTranslation } from 'react-i18next';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Dialog } from '../../dialog/dialog.tsx';

interface UnknownAccountDialogProps {
  onRegister: () => void;
  onClose: () => void;
}

export const UnknownAccountDialog = ({ onRegister, onClose }: UnknownAccountDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog title={t('login.unknownTitle')} alert onClose={onClose}>
      <p className={prose.lead}>{t('login.unknownText')}</p>
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="primary" onClick={onRegister}>
          {t('login.registerNow')}
        </Button>
      </Actions>
    </Dialog>
  );
};
