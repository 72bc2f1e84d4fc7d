import type { DeveloperAccess } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../flow/components/copy-button.tsx';
import linkButton from '../flow/components/link-button.module.css';
import { Moment } from '../flow/components/moment.tsx';
import { Phrase } from '../flow/components/phrase.tsx';
import { ListEmpty } from '../portal/components/list-states.tsx';
import { useAppState } from '../shell/app-state.ts';
import { boot } from '../shell/boot.ts';
import { Skeleton } from '../shell/components/skeleton.tsx';
import { AskForAccess } from './ask-for-access.tsx';
import { CodeBlock } from './code-block.tsx';
import { commandLine, runsHere } from './commands.ts';
import styles from './not-allowed.module.css';
import { accessQuery } from './queries.ts';

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
  return <CodeBlock label={t('client.command.line')} text={commandLine('developer', 'allow', identifier)} />;
};

/** Whom to ask where nobody works at a desk, and what to say of the account. */
const AskElsewhere = () => {
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

/** What became of a request: it waits, or was refused. */
const Asked = ({ access: { state, askedAt = '', until = '' } }: { access: DeveloperAccess }) => {
  const { t } = useTranslation('developers');
  const isWaiting = state === 'waiting';
  return (
    <div role="status">
      <ListEmpty title={isWaiting ? t('developers.access.waiting') : t('developers.access.refused')}>
        <Phrase
          text={(when) =>
            isWaiting
              ? t('developers.access.waitingText', { when })
              : t('developers.access.refusedText', { when })
          }
        >
          <Moment at={isWaiting ? askedAt : until} show="date" />
        </Phrase>
      </ListEmpty>
    </div>
  );
};

/** Lets an account that is no developer ask for access, or tells it whom to ask. */
export const NotAllowed = () => {
  const { t } = useTranslation('developers');
  const { data: access, isPending } = useQuery(accessQuery);
  if (isPending) return <Skeleton heights={[220]} />;
  if (access?.state === 'waiting' || access?.state === 'refused') return <Asked access={access} />;
  if (!access?.canAsk) return <AskElsewhere />;
  return (
    <ListEmpty title={t('developers.notAllowed.title')} action={<AskForAccess />}>
      {t('developers.access.text', { brand: boot.brand.name })}
    </ListEmpty>
  );
};
