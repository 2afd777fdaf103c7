(* sealcheck-verified: a line of standard input is a question, and a line of standard output its answer. *)

let () =
  set_binary_mode_in stdin true;
  try
    while true do
      print_string (Answering.answer_line (input_line stdin));
      print_char '\n';
      flush stdout
    done
  with End_of_file | Sys_error _ -> ()
