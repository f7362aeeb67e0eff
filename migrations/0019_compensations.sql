-- Compensations: messages that make up for a letter instead of sending it back. Each is written down before it is sent, and its
-- letter is taken meanwhile, so that it is sent at most once and nothing is called compensated before its broker has it.
create table compensations (
  id uuid primary key,
  letter_id uuid not null,
  -- How the letter stood, for when the broker refuses.
  from_state text collate "C" not null,
  source text collate "C" not null,
  queue text collate "C" not null,
  body bytea not null,
  -- 'sending' without an end: whether the broker has it is not known.
  state text collate "C" not null default 'sending' check (state in ('sending', 'sent', 'unsent')),
  by text not null,
  reason text not null,
  begun_at timestamptz not null default clock(),
  ended_at timestamptz
);

create unique index one_compensation_at_once on compensations (letter_id) where state = 'sending';
create trigger keep_compensations before update of id, letter_id, from_state, source, queue, body, by, reason, begun_at
  on compensations for each row execute function refuse_change();
create trigger keep_all_compensations before delete on compensations for each row execute function refuse_change();
create trigger keep_rows before truncate on compensations for each statement execute function refuse_change();

-- Takes these letters and writes down what will be sent for each. Gives how many could be taken.
create function begin_compensations(
  ids uuid[], letters_of uuid[], from_states text[], at_source text, to_queue text, with_body bytea, who text, why text
) returns integer language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
begin
  insert into compensations (id, letter_id, from_state, source, queue, body, by, reason)
  select c.id, c.letter_id, l.state, at_source, to_queue, with_body, who, why
  from unnest(ids, letters_of) as c (id, letter_id) join letters l on l.id = c.letter_id and l.state = any (from_states);
  moved := move_letters(letters_of, from_states, 'in_replay');
  return coalesce(cardinality(moved), 0);
end $$;

-- What became of them: the broker has the message and the letter is compensated, or it has not and the letter is as it was.
create function end_compensations(letters_of uuid[], outcome text) returns uuid[] language plpgsql
set search_path from current
as $$
declare
  ended uuid[] := '{}';
  part record;
begin
  for part in
    with changed as (
      update compensations c set state = outcome, ended_at = clock()
      where c.letter_id = any (letters_of) and c.state = 'sending'
      returning c.letter_id, c.from_state
    )
    select from_state, array_agg(letter_id order by letter_id) as ids from changed group by from_state
  loop
    ended := ended || move_letters(
      part.ids, array['in_replay'], case outcome when 'sent' then 'compensated' else part.from_state end
    );
  end loop;
  return ended;
end $$;
