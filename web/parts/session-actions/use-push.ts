import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type Push, type PushView, pushHere } from '../../store/push/push-store.ts';

/** Loads the notification settings on first use. */
export function usePush(): readonly [Push, PushView] {
  const push = pushHere();
  const view = useStore(push.store);
  useEffect(() => {
    if (push.store.getState().state === undefined) void push.load();
  }, [push]);
  return [push, view];
}
