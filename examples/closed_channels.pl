#!/usr/bin/env perl
# Which channels does P close?  Answers JSON lines, with a fault, which `sealcheck diff` finds (README.md).
use strict;
use warnings;
use JSON::PP;

$| = 1;    # unbuffered output: otherwise the other side waits forever
my $json = JSON::PP->new;

while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    print $json->encode({ seq => $asked->{seq}, result => closed($asked->{p}{processes}) }), "\n";
}

# The channels i->j whose sender finally knows of all receives on it.
sub closed {
    my ($shares) = @_;
    my $n = @$shares;
    my ($known, $received) = run($shares);
    my @closed;
    for my $i (1 .. $n) {
        for my $j (1 .. $n) {
            next if $i == $j;
            push @closed, [ $i + 0, $j + 0 ] if ($known->[$i]{"$i $j"} // 0) == ($received->{"$i $j"} // 0);
        }
    }
    return \@closed;
}

# Run the program; each message carries the number of receives on each channel that its sender knows of.
sub run {
    my ($shares) = @_;
    my (@known, @at, %received, %messages);
    my $moved = 1;
    while ($moved) {
        $moved = 0;
        for my $k (1 .. @$shares) {
            my $share = $shares->[ $k - 1 ];
            while (($at[$k] //= 0) < @$share) {
                my ($kind, $other) = @{ $share->[ $at[$k] ] };
                if ($kind eq "snd") {
                    push @{ $messages{"$k $other"} }, { %{ $known[$k] // {} } };
                }
                else {
                    last if !@{ $messages{"$other $k"} // [] };
                    my $heard = pop @{ $messages{"$other $k"} };    # the fault: it takes the newest message
                    for my $channel (keys %$heard) {
                        my $before = $known[$k]{$channel} // 0;
                        $known[$k]{$channel} = $heard->{$channel} if $heard->{$channel} > $before;
                    }
                    $known[$k]{"$other $k"} = ++$received{"$other $k"};
                }
                $at[$k]++;
                $moved = 1;
            }
        }
    }
    return (\@known, \%received);
}
