import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { canUsePasskeys } from '../../passkey/passkey-support.ts';
import styles from './sign-in.module.css';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';

type PasskeyButtonProps = Pick<ReadyInteraction, 'uid' | 'fail'> & { onError: (error: ApiError) => void };

const Shown = ({ onError, ...interaction }: PasskeyButtonProps) => {
  const { t } = useTranslation();
  const { busy, run, isElsewhere } = usePasskeySignIn(interaction, onError);
  return (
    <>
      <Button className={styles.passkey} busy={busy} onClick={() => run()}>
        {t(isElsewhere ? 'login.passkeyElsewhere' : 'login.passkey')} <small>{t('login.passkeyText')}</small>
      </Button>
      {isElsewhere && (
        <p className={styles.elsewhere} role="status">
          {t('login.passkeyNotHere')}
        </p>
      )}
    </>
  );
};

/** Signs in by a passkey. Nothing where the browser cannot. */
export const PasskeyButton = (props: PasskeyButtonProps) => canUsePasskeys() && <Shown {...props} />;
