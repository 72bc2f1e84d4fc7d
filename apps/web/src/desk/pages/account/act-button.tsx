import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../shell/components/button.tsx';
import { useMay } from '../../staff.ts';
import styles from './act-button.module.css';
import { offOf, useActs, type WantedAct } from './acts.ts';

interface ActButtonProps extends WantedAct {
  /** The words on the button; absent: the name of the act. */
  label?: string;
  'aria-label'?: string;
}

/** A button that opens the dialog of an act. Where the act is off, it says why; where it never fits, there is none. */
export const ActButton = ({ label, 'aria-label': name, ...wanted }: ActButtonProps) => {
  const { t } = useTranslation('desk');
  const id = useId();
  const { account, ask } = useActs();
  const may = useMay();
  const off = offOf(account, wanted.act);
  if (off === 'nothing_to_do' || !may('support')) return null;
  return (
    <span className={styles.act}>
      <Button
        className={styles.button}
        aria-label={name}
        aria-disabled={off ? true : undefined}
        aria-describedby={off ? id : undefined}
        onClick={() => ask(wanted)}
      >
        {label ?? t(`desk.acts.names.${wanted.act}`)}
      </Button>
      {off && (
        <span className={styles.why} id={id}>
          {t(`desk.acts.off.${off}`)}
        </span>
      )}
    </span>
  );
};
