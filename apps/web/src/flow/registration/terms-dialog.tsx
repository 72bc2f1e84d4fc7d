import type { Agreement } from '@candela/contract';
import { documentPages, isDocumentId } from '@candela/contract/pages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import prose from '../../shell/components/prose.module.css';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import { Checkbox } from '../components/checkbox.tsx';
import { Phrase } from '../components/phrase.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import styles from './terms-dialog.module.css';

interface TermsDialogProps {
  /** Whose account it is to be, where the page behind does not ask for it. */
  who?: ReactNode;
  agreements: readonly Agreement[];
  /** The editions of the separate agreements that are ticked. */
  ticked: readonly string[];
  onTick: (editions: readonly string[]) => void;
  problem: Problem | undefined;
  busy: boolean;
  /** Called with the ids of the ticked separate agreements. */
  onAgree: (accepted: readonly string[]) => void;
  onClose: () => void;
}

const DocumentLink = ({ id, version }: Pick<Agreement, 'id' | 'version'>) => {
  const { t } = useTranslation();
  if (!isDocumentId(id)) return <span>{id}</span>;
  const address = `${documentPages[id]}?version=${encodeURIComponent(version)}`;
  return (
    <a href={address} target="_blank" rel="noopener">
      {t(`register.documents.${id}`)}
      <span className="visually-hidden"> {t('app.newTab')}</span>
      {/* A word joiner, so that the arrow never stands alone on a line. */}
      {'\u2060'}
      <svg className={styles.out} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path d="M4.5 2H2v8h8V7.5M7 2h3v3M10 2 5.5 6.5" fill="none" stroke="currentColor" strokeWidth="1.3" />
      </svg>
    </a>
  );
};

/** A tick is for the edition that was shown, and not for the next one. */
const editionOf = ({ id, version }: Agreement) => `${id} ${version}`;

/** Lists the agreements. A separate agreement has a checkbox, which is never ticked in advance. */
export const TermsDialog = (props: TermsDialogProps) => {
  const { who, agreements, ticked, onTick, problem, busy, onAgree, onClose } = props;
  const { t } = useTranslation();
  const problemText = useProblemText();
  const toggle = (edition: string) =>
    onTick(ticked.includes(edition) ? ticked.filter((other) => other !== edition) : [...ticked, edition]);
  const isTicked = (agreement: Agreement) => ticked.includes(editionOf(agreement));

  return (
    <Dialog title={t('register.termsTitle')} onClose={onClose}>
      {who}
      <p className={prose.lead}>{t('register.termsText', { brand: boot.brand.name })}</p>
      <ul className={styles.list}>
        {agreements.map((agreement) => (
          <li key={agreement.id} className={styles.item}>
            {agreement.separate ? (
              <Checkbox
                checked={isTicked(agreement)}
                onChange={() => toggle(editionOf(agreement))}
                invalid={Boolean(problem) && agreement.required && !isTicked(agreement)}
                note={agreement.required ? undefined : t('register.optional')}
              >
                <Phrase text={(document) => t('register.agreeTo', { document })}>
                  <DocumentLink {...agreement} />
                </Phrase>
              </Checkbox>
            ) : (
              <DocumentLink {...agreement} />
            )}
          </li>
        ))}
      </ul>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{t('register.disagree')}</Button>
        <Button
          look="primary"
          busy={busy}
          onClick={() => onAgree(agreements.filter(isTicked).map(({ id }) => id))}
        >
          {t('register.agree')}
        </Button>
      </Actions>
    </Dialog>
  );
};
