(* sealcheck-verified: a line of standard input is a question, and a line of standard output its answer. *)

let () =
  (* Most of what is allocated is needed for one line only: for short ones, a megabyte that stays in the cache. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 17; space_overhead = 400 };
  set_binary_mode_in stdin true;
  try
    while true do
      print_string (Answering.answer_line (input_line stdin));
      print_char '\n';
      flush stdout
    done
  with End_of_file | Sys_error _ -> ()
