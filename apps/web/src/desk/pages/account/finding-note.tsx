import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { unbroken } from '../../components/contact-text.ts';
import { Note } from '../../components/note.tsx';
import { When } from '../../components/when.tsx';
import { ActButton } from './act-button.tsx';
import type { Finding } from './findings.ts';
import { useWordsOfEnd } from './use-words-of-end.ts';

/** A sentence with a time in it, and what follows from it. */
interface Words {
  title: (when: string) => string;
  at?: string | undefined;
  show?: ComponentProps<typeof When>['show'];
  text: string;
}

type Of<Kind extends Finding['kind']> = Extract<Finding, { kind: Kind }>;

const useStateWords = () => {
  const { t } = useTranslation('desk');
  return ({ state: { kind, since, until, reason = '' } }: Of<'state'>): Words => {
    // These two began at some time; the others end at one.
    const hasBegun = kind === 'disabled' || kind === 'factor_on';
    return {
      title: (when) => t(`desk.account.states.${kind}`, { when }),
      at: hasBegun ? since : until,
      show: hasBegun ? 'date' : 'distance',
      text: t(`desk.account.states.${kind}Text`, { reason }),
    };
  };
};

const useAppWords = () => {
  const { t } = useTranslation('desk');
  const wordsOfEnd = useWordsOfEnd();
  return {
    ended: ({ app }: Of<'ended'>): Words => ({
      title: (when) => t('desk.account.findings.ended', { when, app: app.client.name }),
      at: app.endedAt,
      text: wordsOfEnd(app),
    }),
    quiet: ({ app, since }: Of<'quiet'>): Words => ({
      title: (when) => t('desk.account.findings.quiet', { when, app: app.client.name }),
      at: since,
      text: t('desk.account.findings.quietText', { app: app.client.name }),
    }),
  };
};

const useWords = (): { [Kind in Finding['kind']]: (finding: Of<Kind>) => Words } => {
  const { t } = useTranslation('desk');
  const deviceName = useDeviceName();
  return {
    state: useStateWords(),
    ...useAppWords(),
    refused: ({ contact, since }) => ({
      title: (when) => t('desk.account.findings.refused', { when, contact: unbroken(contact.masked) }),
      at: since,
      text: t('desk.account.findings.refusedText'),
    }),
    newBrowser: ({ activity: { at, browser, os } }) => ({
      title: (when) =>
        t('desk.account.findings.newBrowser', {
          when,
          device: browser && os ? deviceName({ browser, os }) : t('device.unknownBrowser'),
        }),
      at,
      text: t('desk.account.findings.newBrowserText'),
    }),
    codes: ({ count }) => ({
      title: () => t('desk.account.findings.codes', { count }),
      text: t('desk.account.findings.codesText'),
    }),
    approval: ({ approval: { reason, until } }) => ({
      title: (when) => t('desk.account.findings.approval', { when }),
      at: until,
      show: 'time',
      text: t('desk.account.findings.approvalText', { reason }),
    }),
  };
};

/** A finding as a sentence, with what follows from it, and the button of the act that answers it. */
export const FindingNote = ({ finding }: { finding: Finding }) => {
  const { t } = useTranslation('desk');
  // The kind names the function that takes this finding.
  const wordsOf = useWords()[finding.kind] as (finding: Finding) => Words;
  const { title, at, show = 'distance', text } = wordsOf(finding);
  const { tone, act } = finding;
  return (
    <Note
      tone={tone}
      title={
        at ? (
          <Phrase text={title}>
            <When at={at} show={show} />
          </Phrase>
        ) : (
          title(t('desk.account.states.later'))
        )
      }
      act={act && <ActButton act={act} {...('contact' in finding && { contact: finding.contact.kind })} />}
    >
      {text}
    </Note>
  );
};
