(* sealcheck-verified: a line of standard input is a question, and a line of standard output its answer. *)

(* Most of what is allocated is needed for one line only: for short ones, a megabyte that stays in the cache; for long
   ones more, since each collection looks through the stack, which recursion over long lists makes deep.  Room that is
   not needed costs time, too. *)
let make_room line =
  let words = max (1 lsl 17) (min (1 lsl 23) (2 * String.length line)) in
  let has = Gc.get () in
  if has.minor_heap_size <> words then Gc.set { has with minor_heap_size = words; space_overhead = 400 }

let () =
  set_binary_mode_in stdin true;
  try
    while true do
      let line = input_line stdin in
      make_room line;
      print_string (Answering.answer_line line);
      print_char '\n';
      flush stdout
    done
  with End_of_file | Sys_error _ -> ()
