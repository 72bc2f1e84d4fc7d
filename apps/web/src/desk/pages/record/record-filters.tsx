import type { RecordAction } from '@candela/contract';
import { recordActions } from '@candela/contract/rules/desk-acts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../portal/account/save-file.ts';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import filters from '../../components/filters.module.css';
import { act, type RecordFilter } from '../../queries.ts';
import styles from './record-page.module.css';
import { useActionName } from './use-action-name.ts';

interface RecordFiltersProps {
  filter: RecordFilter;
  staffName: string | undefined;
  onAction: (action?: RecordAction) => void;
  onClear: () => void;
}

/** What of the record is shown, and the way to take it along. */
export const RecordFilters = ({ filter, staffName, onAction, onClear }: RecordFiltersProps) => {
  const { t } = useTranslation('desk');
  const actionName = useActionName();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    saveFile(await act(() => call('GET /api/desk/record/file', { query: { ...filter } })), 'record.jsonl');
  }, setProblem);
  return (
    <div className={filters.filters}>
      <label className={filters.filter}>
        {t('desk.record.action')}
        <select
          value={filter.action ?? ''}
          onChange={({ target }) => onAction(recordActions.find((action) => action === target.value))}
        >
          <option value="">{t('desk.record.every')}</option>
          {recordActions.map((action) => (
            <option key={action} value={action}>
              {actionName(action)}
            </option>
          ))}
        </select>
      </label>
      {filter.account && (
        <span className={filters.quiet}>{t('desk.record.onlyAccount', { account: filter.account })}</span>
      )}
      {staffName && <span className={filters.quiet}>{t('desk.record.onlyStaff', { name: staffName })}</span>}
      {(filter.staff || filter.action || filter.account) && (
        <Button look="text" onClick={onClear}>
          {t('desk.record.clear')}
        </Button>
      )}
      <Button className={filters.atEnd} busy={busy} onClick={() => void run()}>
        {t('desk.record.download')}
      </Button>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
    </div>
  );
};
