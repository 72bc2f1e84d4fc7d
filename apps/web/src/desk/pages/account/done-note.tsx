import type { DeskAct } from '@candela/contract';
import { deskActs } from '@candela/contract/rules/desk-acts';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { Note } from '../../components/note.tsx';
import { ActButton } from './act-button.tsx';
import type { DoneAct } from './acts.ts';
import styles from './done-note.module.css';

/** The act that takes an act back; undefined where nothing does. */
const undoOf = (act: DeskAct): DeskAct | undefined => {
  const rule = deskActs[act];
  return 'undo' in rule ? rule.undo : undefined;
};

/** What an act came to: when it takes effect, its entry in the record, and the way back where there is one. */
export const DoneNote = ({ done: { act, result } }: { done: DoneAct }) => {
  const { t } = useTranslation('desk');
  const { at, approval, entry } = result;
  const undo = approval ? undefined : undoOf(act);
  const name = t(`desk.acts.names.${act}`);
  return (
    <div className={styles.done} id="desk-done" role="status" tabIndex={-1}>
      <Note
        tone="ok"
        title={t('desk.acts.done', { act: name })}
        act={
          undo && <ActButton act={undo} label={t('desk.acts.undo', { act: t(`desk.acts.names.${undo}`) })} />
        }
      >
        {approval && <p>{t('desk.acts.asked')}</p>}
        {at && !approval && (
          <p>
            <Phrase text={(when) => t('desk.acts.takesEffect', { when })}>
              <Moment at={at} show="both" />
            </Phrase>
          </p>
        )}
        <p>{t('desk.acts.entry', { entry })}</p>
      </Note>
    </div>
  );
};
