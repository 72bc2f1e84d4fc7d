import type { ClientChange, RegisteredClient } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import { Phrase } from '../../flow/components/phrase.tsx';
import { PagedList } from '../../portal/account/paged-list.tsx';
import card from '../../portal/components/card.module.css';
import { historyQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { noteNameOf } from './change-note.ts';
import styles from './history.module.css';

type FieldChange = ClientChange['changes'][number];

/** A value of metadata as a developer would type it. */
const Value = ({ value }: { value: unknown }) => {
  const { t } = useTranslation('developers');
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return t('client.history.nothing');
  if (Array.isArray(value)) return value.map(String).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** What is no field of the metadata: it is called as its section. */
const sectionNames = ['members', 'signals'] as const;

const Field = ({ action, change }: { action: ClientChange['action']; change: FieldChange }) => {
  const { t } = useTranslation('developers');
  const { field, from, to, note } = change;
  const section = sectionNames.find((name) => name === field);
  const noteName = note === undefined ? undefined : noteNameOf(action, note);
  return (
    <div className={styles.field}>
      <dt>{section ? t(`client.sections.${section}`) : <code translate="no">{field}</code>}</dt>
      {note !== undefined ? (
        <dd>{noteName ? t(`client.history.notes.${noteName}`) : note}</dd>
      ) : (
        <dd>
          {from !== undefined && (
            <p>
              <span className={styles.label}>{t('client.history.was')}</span>{' '}
              <del>
                <Value value={from} />
              </del>
            </p>
          )}
          <p>
            {from !== undefined && (
              <>
                <span className={styles.label}>{t('client.history.is')}</span>{' '}
              </>
            )}
            <ins>
              <Value value={to} />
            </ins>
          </p>
        </dd>
      )}
    </div>
  );
};

const Change = ({ change }: { change: ClientChange }) => {
  const { t } = useTranslation('developers');
  const { at, by, action, changes } = change;
  const who = by.you ? t('client.history.you') : (by.name ?? t(`client.history.${by.kind}`));
  return (
    <li className={styles.change}>
      <h3 className={styles.action}>{t(`client.history.${action}`)}</h3>
      <p className={styles.by}>
        <Phrase text={(when) => t('client.history.by', { when, who })}>
          <Moment at={at} />
        </Phrase>
      </p>
      {changes.length > 0 && (
        <dl className={styles.fields}>
          {changes.map((field) => (
            <Field key={field.field} action={action} change={field} />
          ))}
        </dl>
      )}
    </li>
  );
};

/** Changes of a registration, each with who made it. */
export const Changes = ({ changes }: { changes: readonly ClientChange[] }) => (
  <ul className={card.card}>
    {changes.map((change) => (
      <Change key={change.id} change={change} />
    ))}
  </ul>
);

/** Who changed what of the client, and when. */
export const History = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const query = useInfiniteQuery(historyQuery(client.client_id));
  return (
    <Section name="history" text={t('client.history.text')}>
      <PagedList query={query}>{(changes) => <Changes changes={changes} />}</PagedList>
    </Section>
  );
};
