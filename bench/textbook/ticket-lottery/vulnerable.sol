// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract TicketLottery {
    address public immutable house;
    uint256 public constant TICKET = 0.2 ether;

    constructor(address operator) payable {
        house = operator;
    }

    function play(uint8 guess) external payable {
        require(msg.value == TICKET, "ticket is 0.2 ether");
        require(guess < 4, "guess below 4");
        uint256 draw = uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), block.timestamp))) % 4; // expect: weak-randomness
        if (draw == guess) {
            payable(msg.sender).transfer(3 * TICKET);
        }
    }

    receive() external payable {}
}
