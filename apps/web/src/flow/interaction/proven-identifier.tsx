import { useTranslation } from 'react-i18next';
import prose from '../../shell/components/prose.module.css';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import link from '../../shell/navigation/link.module.css';
import { Link } from '../../shell/navigation/link.tsx';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import type { IdentifierDraft } from '../identifier/draft.ts';

interface ProvenIdentifierProps {
  identifier: string;
  /** The page on which another identifier can be typed, beginning with `draft`. */
  page: string;
  draft: IdentifierDraft | undefined;
}

/** Shows the identifier that a password is for, with a link to change it. */
export const ProvenIdentifier = ({ identifier, page, draft }: ProvenIdentifierProps) => {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <p className={`${prose.lead} ${prose.linked}`}>
      {t('register.passwordText', { identifier: wholeIdentifier(identifier) })}
      {gap(locale)}
      <Link className={link.link} to={page} state={{ draft }}>
        {t('code.change')}
      </Link>
    </p>
  );
};
