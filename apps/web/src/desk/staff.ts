import type { DeskSession } from '@candela/contract';
import { mayAs, type StaffRole } from '@candela/contract/rules/desk-acts';
import { createContext, useContext } from 'react';

/** The member of staff whose desk is open. */
export const StaffContext = createContext<DeskSession | undefined>(undefined);

/** Who works at the open desk. */
export const useStaff = (): DeskSession => {
  const staff = useContext(StaffContext);
  if (!staff) throw new Error('The desk is not open');
  return staff;
};

/** Whether the member of staff has at least a role. */
export const useMay = (): ((least: StaffRole) => boolean) => {
  const { role } = useStaff();
  return (least) => mayAs(role, least);
};
