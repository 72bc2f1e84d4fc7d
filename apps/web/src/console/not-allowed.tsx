import { useTranslation } from 'react-i18next';
import { CopyButton } from '../flow/components/copy-button.tsx';
import linkButton from '../flow/components/link-button.module.css';
import { Phrase } from '../flow/components/phrase.tsx';
import { ListEmpty } from '../portal/components/list-states.tsx';
import { useAppState } from '../shell/app-state.ts';
import { boot } from '../shell/boot.ts';
import { CodeBlock } from './code-block.tsx';
import { runsHere } from './commands.ts';
import styles from './not-allowed.module.css';

/** How who is told to ask is reached: by the address of the brand’s support, or by a command on the reader’s own machine. */
const Way = ({ identifier }: { identifier: string | undefined }) => {
  const { t } = useTranslation('developers');
  const { support } = boot.brand;
  if (support) {
    return (
      <a className={linkButton.quiet} href={support.startsWith('https:') ? support : `mailto:${support}`}>
        {t('developers.notAllowed.ask')}
      </a>
    );
  }
  if (!identifier || !runsHere(location.hostname)) return null;
  return <CodeBlock label={t('client.command.line')} text={`candela developer allow ${identifier}`} />;
};

/** Tells an account that is no developer whom to ask, and what to say of the account. */
export const NotAllowed = () => {
  const { t } = useTranslation('developers');
  const { name: brand, support } = boot.brand;
  const identifier = useAppState(({ userInfo }) => userInfo?.email ?? userInfo?.phone);
  return (
    <ListEmpty
      title={t('developers.notAllowed.title')}
      action={
        <>
          {identifier && (
            <p className={styles.account}>
              <Phrase text={(account) => t('overview.refused.account', { account })}>
                <bdi translate="no">{identifier}</bdi>
              </Phrase>{' '}
              <CopyButton text={identifier} />
            </p>
          )}
          <Way identifier={identifier} />
        </>
      }
    >
      {t(support ? 'developers.notAllowed.text' : 'overview.refused.text', { brand })}
    </ListEmpty>
  );
};
