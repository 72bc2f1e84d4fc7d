import { useTranslation } from 'react-i18next';
import { Checkbox } from '../flow/components/checkbox.tsx';
import { useStore } from '../shell/store.ts';
import styles from './as-command.module.css';
import { showCommands, shownCommands } from './shown-commands.ts';

/** Shows or hides the commands of all pages for developers. */
export const CommandSwitch = () => {
  const { t } = useTranslation('developers');
  const shown = useStore(shownCommands);
  return (
    <div className={styles.switch}>
      <Checkbox checked={shown} onChange={() => showCommands(!shown)}>
        {t('overview.commands.show')}
      </Checkbox>
    </div>
  );
};
