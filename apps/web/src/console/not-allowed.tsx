import { useTranslation } from 'react-i18next';
import linkButton from '../flow/components/link-button.module.css';
import { ListEmpty } from '../portal/components/list-states.tsx';
import { boot } from '../shell/boot.ts';

/** Tells an account that is no developer whom to ask. */
export const NotAllowed = () => {
  const { t } = useTranslation('developers');
  const { name: brand, support } = boot.brand;
  const href = support?.startsWith('https:') ? support : `mailto:${support}`;
  return (
    <ListEmpty
      title={t('developers.notAllowed.title')}
      action={
        support && (
          <a className={linkButton.quiet} href={href}>
            {t('developers.notAllowed.ask')}
          </a>
        )
      }
    >
      {t('developers.notAllowed.text', { brand })}
    </ListEmpty>
  );
};
