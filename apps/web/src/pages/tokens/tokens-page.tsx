import { type Authorization, accountApi } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ListHeading } from '../../account/list-heading.tsx';
import { PagedList } from '../../account/paged-list.tsx';
import { authorizationsQuery } from '../../account/queries.ts';
import { useEnding } from '../../account/use-ending.ts';
import { call } from '../../api/client.ts';
import { boot } from '../../boot.ts';
import { Button } from '../../components/button.tsx';
import card from '../../components/card.module.css';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { focusSoon } from '../../components/focus-soon.ts';
import { ListEmpty } from '../../components/list-states.tsx';
import { AuthorizationRow } from './authorization-row.tsx';

const end = async (target: Authorization | 'all'): Promise<void> => {
  if (target === 'all') await call(accountApi.withdrawAuthorizations);
  else await call(accountApi.withdrawAuthorization, { params: { id: target.id } });
};

/** The approvals of third-party apps, the newest first. */
export const TokensPage = () => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useInfiniteQuery(authorizationsQuery);
  const all = query.data?.pages.flatMap(({ items }) => items) ?? [];

  const ending = useEnding<Authorization | 'all'>(end, async (target) => {
    const at = target === 'all' ? -1 : all.findIndex(({ id }) => id === target.id);
    const next = target === 'all' ? undefined : (all[at + 1] ?? all[at - 1]);
    await client.refetchQueries({ queryKey: authorizationsQuery.queryKey });
    focusSoon(() =>
      next
        ? document.querySelector<HTMLElement>(`[data-record="${CSS.escape(next.id)}"] button`)
        : document.querySelector('h1'),
    );
  });
  const { target } = ending;
  const app = target && target !== 'all' ? target.client.name : undefined;

  return (
    <>
      <ListHeading title={t('tokens.title')} text={t('tokens.text')}>
        {all.length > 1 && (
          <Button look="text" onClick={() => ending.ask('all')}>
            {t('tokens.removeAll')}
          </Button>
        )}
      </ListHeading>
      <PagedList query={query}>
        {(items) =>
          items.length === 0 ? (
            <ListEmpty title={t('tokens.empty')}>
              {t('tokens.emptyText', { brand: boot.brand.name })}
            </ListEmpty>
          ) : (
            <ul className={card.card}>
              {items.map((authorization) => (
                <AuthorizationRow
                  key={authorization.id}
                  authorization={authorization}
                  onRemove={() => ending.ask(authorization)}
                />
              ))}
            </ul>
          )
        }
      </PagedList>
      {target && (
        <ConfirmDialog
          title={app ? t('tokens.oneTitle', { app }) : t('tokens.allTitle')}
          text={app ? t('tokens.oneText', { app }) : t('tokens.allText')}
          action={app ? t('tokens.remove') : t('tokens.removeAll')}
          busy={ending.busy}
          problem={ending.problem}
          onConfirm={ending.confirm}
          onCancel={ending.cancel}
        />
      )}
    </>
  );
};
