import { useTranslation } from 'react-i18next';
import linkButton from '../flow/components/link-button.module.css';
import { ListEmpty } from '../portal/components/list-states.tsx';
import { ApiError, goToSignIn } from '../shell/api/client.ts';
import { boot } from '../shell/boot.ts';
import { Button } from '../shell/components/button.tsx';
import { Link } from '../shell/navigation/link.tsx';
import { NotAllowed } from './not-allowed.tsx';

const locks = ['not_a_developer', 'second_factor_required'] as const;
type Lock = (typeof locks)[number];

/** Why these pages are shut for who is signed in; undefined where they are not. */
export const lockOf = (error: unknown): Lock | undefined =>
  error instanceof ApiError ? locks.find((code) => code === error.code) : undefined;

/** Leads to the sign-in that the brand asks of developers. */
const StrongerSignIn = () => {
  const { t } = useTranslation('developers');
  return (
    <ListEmpty
      title={t('developers.stronger.title')}
      action={
        <>
          <Button onClick={goToSignIn}>{t('developers.stronger.signIn')}</Button>
          <Link className={linkButton.quiet} to="/index">
            {t('developers.stronger.account')}
          </Link>
        </>
      }
    >
      {t('developers.stronger.text', { brand: boot.brand.name })}
    </ListEmpty>
  );
};

/** Says in place of a page of developers why it is shut, and what to do. */
export const LockedOut = ({ lock }: { lock: Lock }) =>
  lock === 'not_a_developer' ? <NotAllowed /> : <StrongerSignIn />;
