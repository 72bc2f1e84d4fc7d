import type { ProviderOfAccount } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prepareDialog } from '../../../../flow/dialog/dialog.tsx';
import { ProviderMark } from '../../../../flow/providers/provider-mark.tsx';
import { type Problem, useProblemText } from '../../../../shell/forms/form-errors.ts';
import { useOnHide } from '../../../../shell/kept-pages/on-hide.ts';
import { SettingRow } from '../setting-row.tsx';
import { providersQuery } from './queries.ts';
import { UnlinkDialog } from './unlink-dialog.tsx';
import { UseFacts } from './use-facts.tsx';
import { type ProviderProblem, useLinking, useReturn } from './use-providers.ts';
import styles from './ways-section.module.css';

const LinkedFacts = ({ provider }: { provider: ProviderOfAccount & { linkedAt: string } }) => {
  const { t } = useTranslation('security');
  const { name, email, linkedAt, lastUsedAt, closed } = provider;
  return (
    <>
      {email && (
        <span className={styles.facts}>
          <bdi>{email}</bdi>
        </span>
      )}
      <UseFacts
        since={linkedAt}
        sinceText={(when) => t('ways.providerSince', { when })}
        lastUsedAt={lastUsedAt}
        never={t('ways.providerNeverUsed')}
      />
      {closed && <span className={styles.warning}>{t('ways.providerClosed', { name })}</span>}
    </>
  );
};

interface ProviderRowProps {
  provider: ProviderOfAccount;
  /** Why it was not added. */
  problem: Problem | undefined;
  onLink: () => void;
  onUnlink: () => void;
}

const ProviderRow = ({ provider, problem, onLink, onUnlink }: ProviderRowProps) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const { id, kind, name, linkedAt, closed } = provider;
  const link = { label: t(closed ? 'ways.providerAgain' : 'ways.add'), onPress: onLink };
  const unlink = { label: t('settings.remove'), onPress: onUnlink };
  const actions = [...(!linkedAt || closed ? [link] : []), ...(linkedAt ? [unlink] : [])];
  return (
    <SettingRow
      id={`provider-${id}`}
      label={name}
      mark={<ProviderMark kind={kind} />}
      look="thing"
      actions={actions}
    >
      {linkedAt && <LinkedFacts provider={{ ...provider, linkedAt }} />}
      {!linkedAt && !problem && <span className={styles.facts}>{t('ways.providerNot')}</span>}
      {problem && (
        <span className={styles.warning} role="alert">
          {t('ways.providerNotAdded', { name })} {problemText(problem)}
        </span>
      )}
    </SettingRow>
  );
};

/** The brand's identity providers: those that open the account, and those that could. Nothing where there is none. */
export const ProviderRows = () => {
  const { t } = useTranslation('security');
  const { data } = useQuery(providersQuery);
  const items = data?.items;
  const [problem, setProblem] = useState<ProviderProblem>();
  useReturn(items, setProblem);
  const [asked, setAsked] = useState<ProviderOfAccount>();
  const close = () => setAsked(undefined);
  useOnHide(close);
  const linking = useLinking(setProblem);
  if (!items || items.length === 0) return null;
  return (
    <>
      <SettingRow id="providers" label={t('ways.providers')} look="long" actions={[]}>
        <span className={styles.about}>{t('ways.providersText')}</span>
      </SettingRow>
      {items.map((provider) => (
        <ProviderRow
          key={provider.id}
          provider={provider}
          problem={problem?.provider === provider.id ? problem : undefined}
          onLink={() => void linking.run(provider.id)}
          onUnlink={() => {
            prepareDialog();
            setAsked(provider);
          }}
        />
      ))}
      {asked && (
        <UnlinkDialog provider={asked} onLinkAgain={() => void linking.run(asked.id)} onClose={close} />
      )}
    </>
  );
};
